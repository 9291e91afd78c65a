"""Somebody who uses everything there is, and knows afterwards what must be there."""

import hashlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx

from tests.api.uploads import announcement
from tests.faults.reader import PAUSE_SECONDS, Reader, name_of, nth_highlight

_COLORS = ("yellow", "green", "blue", "pink", "purple")
_GONE = None

DISK_FULL = "507 E_STORAGE_FULL"
EXPECTED_OF_OUTAGES = {"503 E_UNAVAILABLE", DISK_FULL}


@dataclass
class Thing:
    """Something that was written, and every state it may be in.

    One, as a rule. A write whose answer never came leaves two; the thing is left alone from then
    on, because that write may still be on its way.
    """

    path: str
    read: Callable[[Any], Any]
    """Its state, from the data of the answer at its path."""
    possible: set[Any]

    @property
    def state(self) -> Any:
        (state,) = self.possible
        return state

    @property
    def is_there(self) -> bool:
        return len(self.possible) == 1 and self.state is not _GONE


@dataclass(frozen=True)
class Unclear:
    """An answer that is right only while something is down."""

    began: float
    ended: float
    asked: str
    answer: str


class Visitor:
    """One account and one thread. The same seed asks for the same things."""

    def __init__(
        self,
        origin: str,
        *,
        picture: str,
        seed: int,
        note_length: int = 50,
        upload_bytes: int = 2000,
    ) -> None:
        self._reader = Reader(origin)
        self._note_length = note_length
        self._upload_bytes = upload_bytes
        self._chance = random.Random(seed)
        self._picture = picture
        sample = self._reader.get("/api/media?limit=1")["media"][0]
        fragment = self._reader.get(f"/api/media/{sample['id']}/fragments")["fragments"][0]
        self._media, self._fragment, self._text = (
            sample["id"],
            fragment["id"],
            fragment["canonical_text"],
        )
        self._highlights: list[Thing] = []
        self._libraries: list[Thing] = []
        self._shelves: list[Thing] = []
        self._files: list[Thing] = []
        self._spare: tuple[bytes, Any] | None = None
        self._made = 0
        self.answered = 0
        self.unclear: list[Unclear] = []
        self.problems: list[str] = []

    def close(self) -> None:
        self._reader.close()

    @property
    def written(self) -> int:
        """How many things whose writing was accepted."""
        return len(self.things())

    def do_something(self) -> None:
        """One thing people do, chosen by chance; a few requests at most."""
        self._chance.choice(
            [
                self._look_around,
                self._look_around,
                self._look_at_picture,
                self._listen,
                self._highlight,
                self._highlight,
                self._recolour,
                self._write_note,
                self._write_note,
                self._delete_note,
                self._delete_highlight_and_undo,
                self._delete_highlight,
                self._make_library,
                self._rename_library,
                self._fill_library,
                self._delete_library,
                self._upload,
                self._remove_file,
            ]
        )()

    def lost(self) -> list[str]:
        """Everything that is not as it must be."""
        found = [(thing, self._state_now(thing)) for thing in self.things()]
        return [
            f"{thing.path} is {state!r}, not {thing.possible}"
            for thing, state in found
            if state not in thing.possible
        ]

    def things(self) -> list[Thing]:
        """Everything whose writing was accepted."""
        return [*self._highlights, *self._libraries, *self._shelves, *self._files]

    def _state_now(self, thing: Thing) -> Any:
        answer = self._reader.ask("GET", thing.path)
        if answer is None or answer.status_code not in {200, 404}:
            return "without an answer"
        return _GONE if answer.status_code == 404 else thing.read(answer.json()["data"])

    # What people do.

    def _look_around(self) -> None:
        paths = [
            "/auth/session",
            "/api/me",
            "/api/media?limit=20",
            f"/api/media/{self._media}",
            f"/api/media/{self._media}/fragments",
            f"/api/media/{self._media}/highlights",
            f"/api/fragments/{self._fragment}/highlights",
            "/api/highlights?limit=50",
            "/api/libraries",
            *(thing.path for thing in self.things() if thing.is_there),
        ]
        self._ask("GET", self._chance.choice(paths))

    def _look_at_picture(self) -> None:
        url = f"{self._picture}/{self._chance.randrange(50)}.png"
        self._ask("GET", "/api/media/image", params={"url": url})

    def _listen(self) -> None:
        path = "/api/media/events"
        self._success(f"GET {path}", partial(self._reader.listen, path))

    def _highlight(self) -> None:
        color = self._chance.choice(_COLORS)
        body = nth_highlight(self._text, self._made, color=color)
        self._made += 1
        made = self._ask("POST", f"/api/fragments/{self._fragment}/highlights", json=body)
        if made is not None:
            path = f"/api/highlights/{made.json()['data']['id']}"
            self._highlights.append(Thing(path, _highlight_state, {(color, None)}))

    def _recolour(self) -> None:
        for thing in self._any(self._highlights):
            color = self._chance.choice(_COLORS)
            self._write(thing, (color, thing.state[1]), "PATCH", thing.path, json={"color": color})

    def _write_note(self) -> None:
        for thing in self._any(self._highlights):
            # Hardly any of it can be compressed away.
            note = self._chance.randbytes(self._note_length // 2).hex()
            path = f"{thing.path}/annotation"
            self._write(thing, (thing.state[0], note), "PUT", path, json={"body": note})

    def _delete_note(self) -> None:
        noted = [thing for thing in self._highlights if thing.is_there and thing.state[1]]
        for thing in self._any(noted):
            self._write(thing, (thing.state[0], None), "DELETE", f"{thing.path}/annotation")

    def _delete_highlight(self) -> None:
        for thing in self._any(self._highlights):
            self._write(thing, _GONE, "DELETE", thing.path)

    def _delete_highlight_and_undo(self) -> None:
        for thing in self._any(self._highlights):
            before = thing.state
            self._write(thing, _GONE, "DELETE", thing.path)
            if thing.possible == {_GONE}:
                self._write(thing, before, "POST", f"{thing.path}/restore")

    def _make_library(self) -> None:
        name = f"Library {self._chance.random()}"
        made = self._ask("POST", "/api/libraries", json={"name": name})
        if made is not None:
            path = f"/api/libraries/{made.json()['data']['id']}"
            self._libraries.append(Thing(path, lambda data: data["name"], {name}))
            self._shelves.append(Thing(f"{path}/media", _shelf_state, {frozenset()}))

    def _rename_library(self) -> None:
        for thing in self._any(self._libraries):
            name = f"Library {self._chance.random()}"
            self._write(thing, name, "PATCH", thing.path, json={"name": name})

    def _fill_library(self) -> None:
        for shelf in self._any(self._shelves):
            if self._media in shelf.state:
                self._write(shelf, frozenset(), "DELETE", f"{shelf.path}/{self._media}")
            else:
                body = {"media_id": self._media}
                self._write(shelf, frozenset([self._media]), "POST", shelf.path, json=body)

    def _delete_library(self) -> None:
        for thing in self._any(self._libraries):
            shelf = self._shelves[self._libraries.index(thing)]
            self._write(thing, _GONE, "DELETE", thing.path)
            shelf.possible = {_GONE} if thing.possible == {_GONE} else {*shelf.possible, _GONE}

    def announce_upload(self) -> None:
        """Have one upload announced early: its bytes are sent when no other can be announced."""
        self._spare = self._announced()

    def _upload(self) -> None:
        upload = self._announced() or self._spare
        if upload is None:
            return
        data, target = upload
        headers = target["upload_headers"]
        if self._ask("PUT", target["upload_url"], content=data, headers=headers) is None:
            return
        if upload is self._spare:
            self._spare = None
        if self._ask("POST", f"/api/media/{target['media_id']}/ingest") is not None:
            path = f"/api/media/{target['media_id']}/file"
            state = hashlib.sha256(data).hexdigest()
            self._files.append(Thing(path, self._download, {state}))

    def _announced(self) -> tuple[bytes, Any] | None:
        """The bytes of an upload and where they may go, if that was accepted."""
        data = b"%PDF-1.7\n" + self._chance.randbytes(self._upload_bytes)
        answer = self._ask("POST", "/api/media/upload/init", json=announcement(data))
        return None if answer is None else (data, answer.json()["data"])

    def _remove_file(self) -> None:
        for thing in self._any(self._files):
            self._write(thing, _GONE, "DELETE", thing.path.removesuffix("/file"))

    # How they do it.

    def _any(self, things: list[Thing]) -> list[Thing]:
        """One that is surely there, or none."""
        there = [thing for thing in things if thing.is_there]
        return [self._chance.choice(there)] if there else []

    def _write(self, thing: Thing, state: Any, method: str, path: str, **options: Any) -> None:
        """Bring a thing into a state."""
        if self._ask(method, path, **options) is None:
            thing.possible = {*thing.possible, state}
        else:
            thing.possible = {state}

    def _ask(self, method: str, path: str, **options: Any) -> httpx.Response | None:
        ask = partial(self._reader.ask, method, path, **options)
        return self._success(f"{method} {path}", ask)

    def _success(
        self, asked: str, ask: Callable[[], httpx.Response | None]
    ) -> httpx.Response | None:
        """The answer, if it is a success. Nothing asked here deserves a refusal."""
        began = time.time()
        answer = ask()
        name = "no answer" if answer is None else name_of(answer)
        if answer is None or name in EXPECTED_OF_OUTAGES:
            self.unclear.append(Unclear(began, time.time(), asked, name))
            time.sleep(PAUSE_SECONDS)
            return None
        self.answered += 1
        if not answer.is_success:
            self.problems.append(f"{asked}: {name}")
            return None
        return answer

    def _download(self, data: Any) -> str:
        answer = self._reader.ask("GET", data["url"])
        if answer is None or answer.status_code != 200:
            return "not downloadable"
        return hashlib.sha256(answer.content).hexdigest()


def _highlight_state(data: Any) -> tuple[str, str | None]:
    note = data["annotation"]
    return data["color"], note and note["body"]


def _shelf_state(data: Any) -> frozenset[str]:
    return frozenset(media["id"] for media in data["media"])

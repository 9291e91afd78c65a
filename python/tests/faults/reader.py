"""A person at the front door: saves addresses, writes highlights, and remembers every answer."""

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from tests.highlights import highlight_body
from tests.live import PASSWORD
from tests.patience import PATIENCE_SECONDS

# As long as a person needs to try something again; asking on without it would be an attack.
PAUSE_SECONDS = 0.3


@dataclass(frozen=True)
class Saved:
    """An address that was accepted."""

    url: str
    media_id: str
    enqueued: bool
    seconds: float
    """How long the accepting answer took."""


class Reader:
    """One account. Every thread may use it."""

    def __init__(self, origin: str, *, connections: int | None = 100) -> None:
        self.client = httpx.Client(
            base_url=origin,
            headers={"Origin": origin},
            timeout=PATIENCE_SECONDS,
            limits=httpx.Limits(max_connections=connections),
        )
        body = {"email": f"{uuid4().hex}@example.org", "password": PASSWORD}
        self.client.post("/auth/signup", json=body).raise_for_status()
        self._lock = threading.Lock()
        self._background: Future[list[Saved]] | None = None
        self.answers: Counter[str] = Counter()
        """How often each answer was given: "202", "503 E_UNAVAILABLE", or the broken connection."""

    def close(self) -> None:
        self.client.close()

    def save(self, url: str) -> Saved:
        """Save an address, again and again until it is accepted, as a person would."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            began = time.monotonic()
            answer = self.ask("POST", "/api/media/from_url", json={"url": url})
            if answer is not None and answer.status_code == 202:
                data = answer.json()["data"]
                seconds = time.monotonic() - began
                return Saved(url, data["media_id"], data["ingest_enqueued"], seconds)
            assert time.monotonic() < deadline, f"never accepted: {dict(self.answers)}"
            time.sleep(PAUSE_SECONDS)

    def save_all(self, urls: Sequence[str], *, at_once: int = 10) -> list[Saved]:
        with ThreadPoolExecutor(at_once) as pool:
            return list(pool.map(self.save, urls))

    @contextlib.contextmanager
    def saving(self, urls: Sequence[str], *, at_once: int = 10) -> Iterator[list[Saved]]:
        """Save in the background; when the block ends, all of it is done and in the list."""
        saved: list[Saved] = []
        with ThreadPoolExecutor(1) as pool:
            self._background = pool.submit(self.save_all, urls, at_once=at_once)
            yield saved
            saved.extend(self._background.result())

    @property
    def is_saving(self) -> bool:
        """Whether anything is still to be saved in the background."""
        return self._background is not None and not self._background.done()

    def get(self, path: str) -> Any:
        """The data of an answer that must be a success."""
        answer = self.client.get(path)
        answer.raise_for_status()
        return answer.json()["data"]

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response | None:
        """One request; None when the connection broke."""
        return self._asked(lambda: self.client.request(method, path, **options))

    def listen(self, path: str) -> httpx.Response | None:
        """The beginning of an answer that does not end; None when the connection broke."""
        return self._asked(lambda: self._beginning(path))

    def _beginning(self, path: str) -> httpx.Response:
        with self.client.stream("GET", path) as answer:
            if answer.is_success:
                next(answer.iter_lines())
            else:
                answer.read()
            return answer

    def _asked(self, ask: Callable[[], httpx.Response]) -> httpx.Response | None:
        try:
            answer = ask()
        except httpx.TransportError as error:
            self._count(type(error).__name__)
            return None
        self._count(name_of(answer))
        return answer

    def _count(self, name: str) -> None:
        with self._lock:
            self.answers[name] += 1


class Highlighter:
    """Writes highlights without a pause, and can tell whether all that were accepted are there."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        media = reader.get("/api/media?limit=1")["media"][0]
        fragment = reader.get(f"/api/media/{media['id']}/fragments")["fragments"][0]
        self._path = f"/api/fragments/{fragment['id']}/highlights"
        self._text = fragment["canonical_text"]
        self._next = 0
        self.accepted: set[str] = set()
        self._stop = threading.Event()

    @contextlib.contextmanager
    def writing(self) -> Iterator["Highlighter"]:
        thread = threading.Thread(target=self._write_on, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            thread.join()

    def lost(self) -> int:
        """How many accepted highlights are not there."""
        accepted = set(self.accepted)
        there: set[str] = set()
        cursor = ""
        while True:
            page = self._reader.get(f"{self._path}?limit=1000{cursor}")
            there |= {highlight["id"] for highlight in page["highlights"]}
            if not page.get("next_cursor"):
                return len(accepted - there)
            cursor = f"&cursor={page['next_cursor']}"

    def _write_on(self) -> None:
        while not self._stop.wait(0.25):
            body = nth_highlight(self._text, self._next, color="yellow")
            answer = self._reader.ask("POST", self._path, json=body)
            # After a lost answer the same span is tried again: a conflict says it is there.
            if answer is not None and answer.status_code in {201, 409}:
                if answer.status_code == 201:
                    self.accepted.add(answer.json()["data"]["id"])
                self._next += 1


def nth_highlight(text: str, number: int, *, color: str) -> dict[str, object]:
    """The body of a highlight; no two numbers have the same span, which would be a conflict."""
    start = number % (len(text) - 200)
    end = start + 3 + number // (len(text) - 200)
    return highlight_body(text, start, end, color=color)


def name_of(answer: httpx.Response) -> str:
    """An answer in a word or two: "202", "503 E_UNAVAILABLE"."""
    if answer.is_success:
        return str(answer.status_code)
    try:
        return f"{answer.status_code} {answer.json()['error']['code']}"
    except (ValueError, KeyError, TypeError):
        return f"{answer.status_code} without an envelope"

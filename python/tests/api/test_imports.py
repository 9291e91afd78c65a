"""Imports over the API: preview, start, stop, undo, the report; strangers see nothing."""

import csv
import io
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy.orm import Session

from nexus.services.viewer import Viewer
from tests.api.test_media_events import listening
from tests.factories import make_user
from tests.imported import run_to_the_end
from tests.live import LiveNexus

COUNTS = {
    *("items", "highlights", "skipped", "items_done", "items_failed", "items_waiting"),
    *("highlights_placed", "highlights_waiting", "highlights_not_found"),
}


def bookmarks(*urls: str, folder: str = "Reading") -> bytes:
    lines = [
        f'<DT><A HREF="{url}" ADD_DATE="1420070400" TAGS="old">Page {url[-6:]}</A>' for url in urls
    ]
    return "\n".join(
        [
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
            "<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1><DL><p>",
            f"<DT><H3>{folder}</H3><DL><p>",
            *lines,
            "</DL><p></DL><p>",
        ]
    ).encode()


def pages(count: int) -> list[str]:
    return [f"https://example.org/{uuid4()}" for _ in range(count)]


def uploaded(api: httpx.Client, body: bytes, name: str = "bookmarks.html") -> dict[str, Any]:
    answer = api.post("/imports", params={"name": name}, content=body)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def finished(api: httpx.Client, import_id: str) -> dict[str, Any]:
    run_to_the_end(UUID(import_id))
    data: dict[str, Any] = api.get(f"/imports/{import_id}").json()["data"]
    return data


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture
def person(session: Session) -> Viewer:
    return make_user(session)


def test_a_file_from_preview_to_undo(nexus: LiveNexus, person: Viewer) -> None:
    urls = pages(3)
    with nexus.api(person.user_id) as api:
        preview = uploaded(api, bookmarks(*urls, "javascript:void(0)"))
        assert (preview["state"], preview["format_label"]) == ("preview", "Bookmarks")
        assert preview["name"] == "bookmarks.html"
        counts = preview["counts"]
        assert counts.keys() == COUNTS
        assert (counts["items"], counts["skipped"], counts["items_done"]) == (3, 1, 0)
        assert sum(preview["skipped_reasons"].values()) == 1
        assert [sample["url"] for sample in preview["samples"]] == urls
        assert api.get("/media").json()["data"]["media"] == [], "nothing is imported yet"

        started = api.post(f"/imports/{preview['id']}/start", json={"tags": ["mine"]})
        assert started.status_code == 202
        assert started.json()["data"]["state"] == "running"
        done = finished(api, preview["id"])
        assert (done["state"], done["counts"]["items_done"]) == ("done", 3)
        assert done["counts"]["items_waiting"] == 3
        media = api.get("/media").json()["data"]["media"]
        assert {item["requested_url"] for item in media} == set(urls)
        assert all(item["saved_at"].startswith("2015-01-01") for item in media)
        assert all(item["tags"] == ["mine", "old"] for item in media)

        undone = api.post(f"/imports/{preview['id']}/undo")
        assert (undone.status_code, undone.json()["data"]["state"]) == (202, "undone")
        assert not undone.json()["data"]["unfinished"]
        assert api.get("/media").json()["data"]["media"] == []
        assert api.get("/tags").json()["data"]["tags"] == []
        libraries = api.get("/libraries").json()["data"]["libraries"]
        assert [library["is_default"] for library in libraries] == [True]


def test_steps_that_are_not_possible(nexus: LiveNexus, person: Viewer) -> None:
    with nexus.api(person.user_id) as api:
        one = f"/imports/{uploaded(api, bookmarks(*pages(2)))['id']}"
        for step in ("stop", "undo"):
            assert error(api.post(f"{one}/{step}")) == (409, "E_INVALID_STATE")
        assert api.post(f"{one}/start").status_code == 202
        for step in ("start", "undo"):
            assert error(api.post(f"{one}/{step}")) == (409, "E_INVALID_STATE")
        assert error(api.delete(one)) == (409, "E_INVALID_STATE")
        assert api.post(f"{one}/stop").json()["data"]["state"] == "stopped"
        assert api.post(f"{one}/start").json()["data"]["state"] == "running", "it goes on"
        finished(api, one.rpartition("/")[2])
        for step in ("start", "stop"):
            assert error(api.post(f"{one}/{step}")) == (409, "E_INVALID_STATE")
        assert api.post(f"{one}/undo").status_code == 202
        assert error(api.post(f"{one}/undo")) == (409, "E_INVALID_STATE")
        assert api.delete(one).status_code == 204
        assert error(api.get(one)) == (404, "E_IMPORT_NOT_FOUND")


def test_nobody_else_sees_an_import(nexus: LiveNexus, person: Viewer, session: Session) -> None:
    with nexus.api(person.user_id) as api:
        import_id = uploaded(api, bookmarks(*pages(1)))["id"]
    one = f"/imports/{import_id}"
    with nexus.api(make_user(session).user_id) as api:
        assert api.get("/imports").json()["data"]["imports"] == []
        answers = [
            api.get(one),
            api.get(f"{one}/report.csv"),
            api.delete(one),
            *(api.post(f"{one}/{step}") for step in ("start", "stop", "undo")),
        ]
        assert {error(answer) for answer in answers} == {(404, "E_IMPORT_NOT_FOUND")}


def test_only_a_library_of_ones_own_can_be_chosen(
    nexus: LiveNexus, person: Viewer, session: Session
) -> None:
    stranger = make_user(session)
    with nexus.api(person.user_id) as api:
        one = f"/imports/{uploaded(api, bookmarks(*pages(1)))['id']}"
        body = {"library_id": str(stranger.default_library_id)}
        assert error(api.post(f"{one}/start", json=body)) == (404, "E_LIBRARY_NOT_FOUND")
        assert api.get(one).json()["data"]["state"] == "preview"


def test_the_report_has_every_line_and_no_formula(nexus: LiveNexus, person: Viewer) -> None:
    (url,) = pages(1)
    file = bookmarks(url, "javascript:void(0)").replace(b">Page ", b">=HYPERLINK ")
    with nexus.api(person.user_id) as api:
        import_id = uploaded(api, file)["id"]
        api.post(f"/imports/{import_id}/start")
        finished(api, import_id)
        answer = api.get(f"/imports/{import_id}/report.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    head, *rows = csv.reader(io.StringIO(answer.text))
    assert head == ["line", "title", "address", "outcome", "reason", "media_id"]
    assert [row[3] for row in rows] == ["added", "skipped"]
    assert rows[0][1].startswith("'=HYPERLINK")
    assert (rows[0][2], rows[1][5]) == (url, "")
    assert rows[1][4]
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "E_IMPORT_UNKNOWN_FORMAT"),
        (b"\x00" * 1000, "E_IMPORT_UNKNOWN_FORMAT"),
        (b"just some text", "E_IMPORT_UNKNOWN_FORMAT"),
        (b"{" * 100_000, "E_IMPORT_UNKNOWN_FORMAT"),
        (b"PK\x03\x04 not a zip", "E_IMPORT_UNKNOWN_FORMAT"),
        (b"<!DOCTYPE NETSCAPE-Bookmark-file-1>", "E_IMPORT_INVALID"),
    ],
    ids=["empty", "zeros", "text", "braces", "zip", "no bookmarks"],
)
def test_files_that_cannot_be_imported(
    nexus: LiveNexus, person: Viewer, body: bytes, code: str
) -> None:
    with nexus.api(person.user_id) as api:
        answer = api.post("/imports", params={"name": "x"}, content=body)
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]["code"] in {code, "E_IMPORT_INVALID"}
        assert answer.json()["error"]["message"]
        assert api.get("/imports").json()["data"]["imports"] == []


@pytest.mark.parametrize("name", [None, "", "a\x00b", "x" * 1025])
def test_a_name_is_needed(nexus: LiveNexus, person: Viewer, name: str | None) -> None:
    with nexus.api(person.user_id) as api:
        params = {} if name is None else {"name": name}
        answer = api.post("/imports", params=params, content=bookmarks(*pages(1)))
    assert error(answer) == (400, "E_INVALID_REQUEST")


def test_a_file_that_is_too_large(
    nexus: LiveNexus, person: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nexus.api.routes import imports

    monkeypatch.setattr(imports, "MAX_IMPORT_BYTES", 2 * 1024 * 1024)
    whole = b"x" * (2 * 1024 * 1024 + 1)
    with nexus.api(person.user_id) as api:
        announced = api.post("/imports", params={"name": "x"}, content=whole)
        assert error(announced) == (413, "E_FILE_TOO_LARGE")
        chunks = (whole[start : start + 65_536] for start in range(0, len(whole), 65_536))
        streamed = api.post("/imports", params={"name": "x"}, content=chunks)
        assert error(streamed) == (413, "E_FILE_TOO_LARGE")


def test_through_the_front_a_file_may_be_large(nexus: LiveNexus) -> None:
    """More than any other body; live events say how it goes."""
    file = bookmarks(*pages(1)) + b"<!--" + b"x" * (3 * 1024 * 1024) + b"-->"
    with nexus.signed_up() as browser, listening(browser) as events:
        answer = browser.post("/api/imports", params={"name": "b.html"}, content=file)
        assert answer.status_code == 201, answer.text
        import_id = answer.json()["data"]["id"]
        assert browser.post(f"/api/imports/{import_id}/start").status_code == 202
        name, data = next(events)
        assert (name, data["id"], data["state"]) == ("import", import_id, "running")
        run_to_the_end(UUID(import_id))
        name, data = next(events)
        assert name == "import", "its items are not announced one by one"
        while data["state"] != "done":
            name, data = next(events)
        assert data["counts"]["items_done"] == 1


def test_only_the_last_previews_are_kept(nexus: LiveNexus, person: Viewer) -> None:
    with nexus.api(person.user_id) as api:
        made = [uploaded(api, bookmarks(*pages(1)), f"{number}.html") for number in range(6)]
        kept = api.get("/imports").json()["data"]["imports"]
    assert [one["id"] for one in kept] == [one["id"] for one in reversed(made[1:])]


def test_so_many_imports_at_once(nexus: LiveNexus, person: Viewer) -> None:
    with nexus.api(person.user_id) as api:
        ids = [uploaded(api, bookmarks(*pages(1)))["id"] for _ in range(4)]
        for import_id in ids[:3]:
            assert api.post(f"/imports/{import_id}/start").status_code == 202
        refused = api.post(f"/imports/{ids[3]}/start")
        assert error(refused) == (409, "E_TOO_MANY_IMPORTS")
        finished(api, ids[0])
        assert api.post(f"/imports/{ids[3]}/start").status_code == 202

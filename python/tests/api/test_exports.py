"""`POST /exports`: the file of one person, whole or visibly not."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.models import LibraryMedia
from nexus.export import readwise
from nexus.export.formats import FORMATS as TABLE
from nexus.schemas.exports import MAX_EXPORTED_BY_ID, ExportFormat
from nexus.storage import get_storage_client
from tests.backup.installations import add_file
from tests.export.exporting import mark
from tests.factories import make_article, make_user
from tests.highlights import Reader
from tests.live import LiveNexus, wait_for

FORMATS = [format.value for format in TABLE]


@pytest.fixture
def reader(nexus: LiveNexus, session: Session) -> Iterator[Reader]:
    reader = Reader(nexus, session)
    with reader.api:
        yield reader


def export(reader: Reader, **body: Any) -> httpx.Response:
    return reader.api.post("/exports", json=body)


def titles(answer: httpx.Response) -> list[str]:
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    pages = [name for name in archive.namelist() if name.startswith("pages/")]
    return sorted(name.partition(" ")[2].removesuffix(".md") for name in pages)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_an_attachment(reader: Reader, format: str) -> None:
    reader.created(0, 3)
    answer = export(reader, format=format)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith('attachment; filename="nexus-')
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-nexus-items"] == "1"
    assert answer.content


def test_chosen_items_and_no_others(reader: Reader, session: Session) -> None:
    one = make_article(session, reader.viewer, title="One")
    two = make_article(session, reader.viewer, title="Two")
    make_article(session, reader.viewer, title="Three")
    ids = [str(two.media_id), str(one.media_id)]
    answer = export(reader, format="markdown", media_ids=ids)
    assert titles(answer) == ["One", "Two"]
    assert answer.headers["x-nexus-items"] == "2"
    alone = export(reader, format="markdown", media_ids=ids[:1])
    assert 'filename="Two-markdown.zip"' in alone.headers["content-disposition"]


def test_another_persons_items_are_not_there(
    reader: Reader, session: Session, nexus: LiveNexus
) -> None:
    bo = make_user(session)
    theirs = make_article(session, bo, title="Theirs", text="Their secret text")
    mark(session, bo, theirs, 0, 5, note="Their note")
    for format in FORMATS:
        for media_id in (theirs.media_id, uuid4()):
            ids = [str(reader.fragment.media_id), str(media_id)]
            answer = export(reader, format=format, media_ids=ids)
            assert (answer.status_code, answer.json()["error"]["code"]) == (
                404,
                "E_MEDIA_NOT_FOUND",
            )
        everything = export(reader, format=format)
        found = everything.content
        if found[:2] == b"PK":
            archive = zipfile.ZipFile(io.BytesIO(found))
            found = b"".join(archive.read(name) for name in archive.namelist())
        assert b"Theirs" not in found
        assert b"secret" not in found


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "E_INVALID_REQUEST"),
        ({"format": "docx"}, "E_INVALID_REQUEST"),
        ({"format": "markdown", "media_ids": []}, "E_INVALID_REQUEST"),
        ({"format": "markdown", "media_ids": ["x"]}, "E_INVALID_REQUEST"),
        (
            {"format": "markdown", "media_ids": [str(uuid4())] * (MAX_EXPORTED_BY_ID + 1)},
            "E_INVALID_REQUEST",
        ),
        ({"format": "w3c", "template": "x"}, "E_INVALID_REQUEST"),
        ({"format": "markdown", "template": "x" * 20_001}, "E_INVALID_REQUEST"),
        ({"format": "markdown", "template": "{{ nothing }}"}, "E_TEMPLATE_INVALID"),
        ({"format": "markdown", "template": "{{ ''.__class__ }}"}, "E_TEMPLATE_INVALID"),
    ],
)
def test_what_is_wrong_is_said_before_the_first_byte(
    reader: Reader, body: dict[str, Any], code: str
) -> None:
    answer = export(reader, **body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


def test_pages_by_a_template(reader: Reader) -> None:
    reader.created(0, 3)
    answer = export(reader, format="markdown", template="{{ highlights | length }} {{ title }}\n")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    [page] = [name for name in archive.namelist() if name.startswith("pages/")]
    assert archive.read(page).startswith(b"1 ")
    default = reader.api.get("/exports/template").json()["data"]["template"]
    again = export(reader, format="markdown", template=default)
    assert again.content == export(reader, format="markdown").content


def test_one_at_a_time(reader: Reader, session: Session) -> None:
    session.execute(
        text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"),
        {"name": f"export {reader.viewer.user_id}"},
    )
    refused = export(reader, format="readwise")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "E_EXPORT_RUNNING")
    session.rollback()
    assert export(reader, format="readwise").status_code == 200


def test_the_next_one_may_start_when_a_reader_hung_up(
    reader: Reader, session: Session, nexus: LiveNexus
) -> None:
    settings = get_settings()
    for _ in range(40):
        media_id, _ = add_file(session, settings, reader.viewer.user_id)
        session.add(LibraryMedia(library_id=reader.viewer.default_library_id, media_id=media_id))
    session.commit()
    body = {"format": "markdown"}
    with reader.api.stream("POST", "/exports", json=body) as answer:
        assert answer.status_code == 200
        next(answer.iter_raw(1000))
    wait_for(lambda: export(reader, format="readwise").status_code == 200)


def test_half_a_file_never_looks_whole(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    reader.created(0, 3)
    written = readwise.write

    def breaks(job: Any) -> Iterator[bytes]:
        yield from written(job)
        yield b"x" * 200_000
        raise RuntimeError("the store went away")

    broken = TABLE[ExportFormat.READWISE]
    monkeypatch.setitem(
        TABLE,
        ExportFormat.READWISE,
        type(broken)(broken.name, broken.suffix, broken.content_type, breaks),
    )
    with pytest.raises(httpx.RemoteProtocolError):
        export(reader, format="readwise")


def test_through_the_bff(nexus: LiveNexus) -> None:
    with nexus.signed_up(f"{uuid4().hex}@example.org") as browser:
        body = {"format": "markdown"}
        foreign = browser.post(
            "/api/exports", json=body, headers={"Origin": "https://evil.example"}
        )
        assert foreign.status_code == 403
        answer = browser.post("/api/exports", json=body)
        assert answer.status_code == 200, answer.text
        assert int(answer.headers["x-nexus-items"]) == len(titles(answer))
        assert answer.headers["content-disposition"].startswith("attachment; ")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_files_of_the_store_are_in_it(reader: Reader, session: Session, tmp_path: Path) -> None:
    settings = get_settings()
    media_id, path = add_file(session, settings, reader.viewer.user_id)
    session.add(LibraryMedia(library_id=reader.viewer.default_library_id, media_id=media_id))
    session.commit()
    answer = export(reader, format="markdown")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    [name] = [name for name in archive.namelist() if name.startswith("files/")]
    assert archive.read(name) == b"".join(get_storage_client(settings).open_stream(path))


def test_copying_as_plain_text(reader: Reader) -> None:
    created = reader.created(4, 19)
    url = f"/highlights/{created['id']}/annotation"
    assert reader.api.put(url, json={"body": "*mine*"}).status_code == 201
    params = {"format": "text", "highlight_id": created["id"]}
    data = reader.api.get("/highlights/markdown", params=params).json()["data"]
    assert data["count"] == 1
    assert data["markdown"] == (
        f"“{created['exact']}”\n\n*mine*\n\n— An article, https://example.org/article\n"
    )

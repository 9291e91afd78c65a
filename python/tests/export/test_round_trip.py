"""Out of one Nexus, into another, out again: the same bytes."""

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, BinaryIO, cast
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import HighlightColor, MediaKind, ProcessingStatus, ReadingState
from nexus.db.models import (
    Annotation,
    Fragment,
    Highlight,
    LibraryMedia,
    Media,
    ReadingPosition,
    SavedAddress,
    ShelfItem,
    UnplacedHighlight,
    WaitingPosition,
)
from nexus.db.task_session import task_session
from nexus.extractors.interface import Document, FragmentText, Job, Metadata
from nexus.extractors.web_article import contents_of
from nexus.html.cleaning import clean_page
from nexus.importers.records import ImportedHighlight
from nexus.schemas.exports import ExportFormat
from nexus.schemas.reading import PreferencesRequest
from nexus.schemas.shelf import MineRequest
from nexus.services import media_lifecycle
from nexus.services.document_store import store_document
from nexus.services.imports import states
from nexus.services.imports.preview import create_preview
from nexus.services.libraries import create_library
from nexus.services.media_create import create_from_url
from nexus.services.reading import put_preferences
from nexus.services.shelf import change_mine
from nexus.services.tags import make_tags
from nexus.services.unplaced import keep
from nexus.services.unplaced_place import place_waiting
from nexus.services.viewer import Viewer
from nexus.storage import get_storage_client
from nexus.tasks.ingest import ingest_media
from tests import epub_files, pdf_files
from tests.export.exporting import exported, mark
from tests.factories import make_user
from tests.imported import run_to_the_end, start
from tests.media_states import stored_file

SAVED = datetime(2021, 3, 4, 5, 6, 7, 891011, tzinfo=UTC)
PAGE = """<h1>One 🙂 title</h1><p id=a>Some <b>words</b> &amp; more, <a href="#b">a note</a>.</p>
<h2>Part</h2><p>Second “paragraph” with <a href="https://example.org/x?a=1&b=2">a link</a> and
<img src="https://example.org/i.png" alt="An image" width=30 height=20> an image.</p>
<p id=b>End é.</p>"""


def article(session: Session, person: Viewer, number: int) -> Fragment:
    """As a page that was fetched."""
    url = f"https://example.org/{person.user_id}/{number}?utm_source=x"
    media_id = create_from_url(session, person, kind="web_article", url=url).media_id
    media_lifecycle.worker_start_attempt(session, media_id)
    cleaned = clean_page(PAGE.replace("Second", f"Second {number}"), "https://example.org/")
    final = f"https://example.org/{person.user_id}/{number}/final"
    document = Document(
        fragments=(FragmentText(cleaned.html, cleaned.text),),
        title=f"Article {number} – <b>“quoted”</b>",
        final_url=final,
        image_sizes=cleaned.image_sizes,
        metadata=Metadata(
            authors=("Ann Author", "Bo"),
            site_name="Example",
            published_at="2019-05",
            language="en",
            excerpt="What it says",
            lead_image_url="https://example.org/lead.png",
        ),
        contents=contents_of(cleaned.headings),
    )
    job = Job(media_id, 1, MediaKind.WEB_ARTICLE)
    store_document(session, job, document, canonical_url=final, actor_user_id=person.user_id)
    session.commit()
    return session.scalars(select(Fragment).where(Fragment.media_id == media_id)).one()


def file(session: Session, person: Viewer, kind: MediaKind, data: bytes) -> list[Fragment]:
    digest = sha256(data).hexdigest()
    media = stored_file(session, person, kind, data, file_sha256=digest, title=f"A {kind.value}")
    ingest_media(str(media.id))
    session.expire_all()
    query = select(Fragment).where(Fragment.media_id == media.id).order_by(Fragment.idx)
    return list(session.scalars(query))


def fill(session: Session, *, second_library: str = "Research / Go") -> Viewer:
    """Somebody who has used everything."""
    ada = make_user(session)
    create_library(session, ada, name="Empty")
    shelf = create_library(session, ada, name="Research / Go")
    again = create_library(session, ada, name=second_library)
    make_tags(session, user_id=ada.user_id, names=["Unused", "Später"])
    put_preferences(
        session,
        ada,
        request=PreferencesRequest.model_validate(
            {
                "theme": "dark",
                "font": "serif",
                "width": "wide",
                "size": 21,
                "changed_at": "2026-01-31T12:00:00Z",
            }
        ),
    )
    articles = [article(session, ada, number) for number in range(3)]
    pages = file(session, ada, MediaKind.PDF, pdf_files.plain(count=3))
    chapters = file(
        session,
        ada,
        MediaKind.EPUB,
        epub_files.a_book("<p>It begins here, quietly.</p>", "<h1>Two</h1><p>And ends 🙂.</p>"),
    )
    create_from_url(session, ada, kind="video", url=f"https://youtu.be/{uuid4().hex[:11]}?t=7")
    one, two, _ = articles
    # Overlapping, nested and side by side.
    mark(session, ada, one, 0, 12, note="First\nnote", created_at=SAVED, updated_at=SAVED)
    mark(session, ada, one, 4, 30, color=HighlightColor.BLUE, note="  Spaces  ")
    mark(session, ada, one, 6, 9, color=HighlightColor.GREEN)
    mark(session, ada, two, 3, 8, color=HighlightColor.PINK)
    mark(session, ada, pages[0], 10, 60, note="On a page")
    mark(session, ada, pages[-1], 5, 25)
    mark(session, ada, chapters[-1], 0, 7, color=HighlightColor.PURPLE)
    keep(
        session,
        user_id=ada.user_id,
        media_id=two.media_id,
        import_id=None,
        highlights=[
            ImportedHighlight("nowhere to be found in here", note="a note", position=7, page="xii"),
            ImportedHighlight("", note="On the whole item", created_at=SAVED),
        ],
    )
    session.commit()
    place_waiting(task_session, media_id=two.media_id)
    request = MineRequest(tags=["Später", "Go"], archived=True, state=ReadingState.FINISHED)
    change_mine(session, ada, media_id=one.media_id, request=request)
    request = MineRequest(tags=["Go"], favourite=True, state=ReadingState.READING)
    change_mine(session, ada, media_id=pages[0].media_id, request=request)
    for number, fragment in enumerate((one, two, pages[0], chapters[0])):
        session.add(
            ReadingPosition(
                user_id=ada.user_id,
                fragment_id=fragment.id,
                text_offset=3 + number,
                changed_at=SAVED + timedelta(days=number),
            )
        )
        session.execute(
            update(ShelfItem)
            .where(ShelfItem.user_id == ada.user_id, ShelfItem.media_id == fragment.media_id)
            .values(progress=0.1 * number, opened_at=SAVED + timedelta(hours=number))
        )
    for library, media_id in (
        (shelf, one.media_id),
        (again, one.media_id),
        (shelf, pages[0].media_id),
    ):
        entry = LibraryMedia(library_id=library.id, media_id=media_id, created_at=SAVED)
        session.add(entry)
    session.commit()
    return ada


def imported(session: Session, person: Viewer, data: bytes, *, read_files: bool = True) -> UUID:
    """Through the whole way: preview, import, reading of files, placing of highlights."""
    storage = get_storage_client(get_settings())
    with tempfile.TemporaryFile() as file:
        file.write(data)
        preview = create_preview(session, person, storage, file=cast(BinaryIO, file), name="x.zip")
    session.commit()
    start(session, person, preview.id)
    run_to_the_end(preview.id)
    session.rollback()
    for media_id in own_items(session, person):
        status = session.scalar(select(Media.processing_status).where(Media.id == media_id))
        if status is ProcessingStatus.PENDING and read_files:
            ingest_media(str(media_id))
        place_waiting(task_session, media_id=media_id)
    session.rollback()
    session.expire_all()
    return preview.id


def own_items(session: Session, person: Viewer) -> list[UUID]:
    query = select(ShelfItem.media_id).where(ShelfItem.user_id == person.user_id)
    return list(session.scalars(query.order_by(ShelfItem.saved_at)))


def members(data: bytes) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(data))
    return {name: archive.read(name) for name in archive.namelist()}


def entries(data: bytes) -> Iterator[dict[str, Any]]:
    for name, content in members(data).items():
        if name.startswith("items/"):
            yield from map(json.loads, content.splitlines())


@pytest.mark.parametrize("where", ["on the same Nexus", "on another one"])
def test_out_in_and_out_again_is_the_same(session: Session, where: str) -> None:
    ada = fill(session)
    first, job = exported(session, ada, ExportFormat.NEXUS)
    assert (job.items_written, job.highlights_written) == (6, 7)
    assert first == exported(session, ada, ExportFormat.NEXUS)[0]
    if where == "on another one":
        session.execute(delete(Media).where(Media.id.in_(own_items(session, ada))))
        session.commit()
    bo = make_user(session)
    imported(session, bo, first)
    second, _ = exported(session, bo, ExportFormat.NEXUS)
    assert members(second) == members(first)
    assert second == first


def test_importing_it_twice_adds_nothing(session: Session) -> None:
    ada = fill(session, second_library="Another")
    first, _ = exported(session, ada, ExportFormat.NEXUS)
    bo = make_user(session)
    imported(session, bo, first)
    imported(session, bo, first)
    imported(session, ada, first)
    assert exported(session, bo, ExportFormat.NEXUS)[0] == first
    assert exported(session, ada, ExportFormat.NEXUS)[0] == first


def test_a_text_of_an_archive_is_nobody_elses(session: Session) -> None:
    """Anyone who saves the address gets the page, not what an archive says it is."""
    ada, bo, eve = (make_user(session) for _ in range(3))
    real = article(session, ada, 1)
    address = session.scalars(
        select(SavedAddress.requested_url).where(SavedAddress.media_id == real.media_id)
    ).first()
    data, _ = exported(session, ada, ExportFormat.NEXUS)
    forged = changed(data, "texts/", b"Second 1", b"Forged &lt;script>")
    imported(session, eve, forged)
    [item] = own_items(session, eve)
    assert item != real.media_id
    text = session.scalars(select(Fragment.canonical_text).where(Fragment.media_id == item)).one()
    assert "Forged <script>" in text
    media = session.get_one(Media, item)
    assert media.canonical_url is None
    assert media.created_by_user_id == eve.user_id
    assert address is not None
    for person in (bo, ada):
        found = create_from_url(session, person, kind="web_article", url=address)
        session.rollback()
        assert found.media_id != item


def test_texts_of_an_archive_are_cleaned(session: Session) -> None:
    ada, eve = make_user(session), make_user(session)
    article(session, ada, 2)
    data, _ = exported(session, ada, ExportFormat.NEXUS)
    evil = b"<script>alert(1)</script><img src=x onerror=alert(1)>Second 2"
    imported(session, eve, changed(data, "texts/", b"Second 2", evil))
    [item] = own_items(session, eve)
    html = session.scalars(select(Fragment.html_sanitized).where(Fragment.media_id == item)).one()
    assert "script" not in html
    assert "onerror" not in html


def test_highlights_do_not_drift_when_the_text_is_another(session: Session) -> None:
    ada, eve = make_user(session), make_user(session)
    real = article(session, ada, 3)
    start_at = real.canonical_text.index("paragraph")
    mark(session, ada, real, start_at, start_at + 9, note="Mine")
    data, _ = exported(session, ada, ExportFormat.NEXUS)
    imported(session, eve, changed(data, "texts/", b"Some ", b"Some more and more "))
    found = session.execute(
        select(Highlight, Annotation.body)
        .join(Annotation, Annotation.highlight_id == Highlight.id)
        .where(Highlight.user_id == eve.user_id)
    ).one()
    text = session.get_one(Fragment, found[0].fragment_id).canonical_text
    assert text[found[0].start_offset : found[0].end_offset] == "paragraph"
    assert (found[0].exact, found[1]) == ("paragraph", "Mine")


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("items/", b'"state":"unread"', b'"state":"asleep"'),
        ("items/", b'"text":1', b'"text":-1'),
        ("items/", b'"text":1', b'"text":99'),
        ("items/", b'"addresses":[{', b'"addresses":[7,{"key":{},"kind":"x"},{'),
        ("items/", b'"saved_at":"20', b'"saved_at":"x20'),
        ("items/", b'"highlights":[{', b'"highlights":[{"start":"x"},{'),
        ("texts/", b'{"fragments"', b'{"fragment"'),
        ("texts/", b"{", b""),
        ("person.json", b"{", b"["),
        ("person.json", b'"libraries":[', b'"libraries":[1,"",'),
    ],
)
def test_a_damaged_archive_harms_nothing(
    session: Session, part: str, old: bytes, new: bytes
) -> None:
    ada, eve = make_user(session), make_user(session)
    real = article(session, ada, 4)
    mark(session, ada, real, 0, 3)
    data, _ = exported(session, ada, ExportFormat.NEXUS)
    imported(session, eve, changed(data, part, old, new))
    query = select(UnplacedHighlight.quote).where(UnplacedHighlight.user_id == eve.user_id)
    assert len(list(session.scalars(query))) <= 2


def changed(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """The archive with something else in one of its parts."""
    found = members(data)
    assert any(old in content for name, content in found.items() if name.startswith(part))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in found.items():
            written = content.replace(old, new, 1) if name.startswith(part) else content
            archive.writestr(name, written)
    return target.getvalue()


def test_ids_and_the_time_of_export_are_not_in_it(session: Session) -> None:
    ada = make_user(session)
    real = article(session, ada, 5)
    mark_id = mark(session, ada, real, 0, 3)
    data, _ = exported(session, ada, ExportFormat.NEXUS)
    everything = b"".join(members(data).values()).decode()
    for one in (real.id, real.media_id, mark_id, uuid4()):
        assert str(one) not in everything
    [entry] = entries(data)
    assert entry["text_sha256"] == sha256(real.canonical_text.encode() + b"\0").hexdigest()


def test_undo_takes_back_what_nobody_touched_since(session: Session) -> None:
    ada, bo = fill(session), make_user(session)
    data, _ = exported(session, ada, ExportFormat.NEXUS)
    before, _ = exported(session, bo, ExportFormat.NEXUS)
    import_id = imported(session, bo, data)
    [*_, last] = own_items(session, bo)
    change_mine(session, bo, media_id=last, request=MineRequest(favourite=True))
    states.undo(session, bo, import_id=import_id)
    session.commit()
    run_to_the_end(import_id)
    session.rollback()
    assert own_items(session, bo) == [last]
    assert members(before).keys() < members(exported(session, bo, ExportFormat.NEXUS)[0]).keys()


def test_places_wait_for_the_text_of_a_file(session: Session) -> None:
    ada, bo = make_user(session), make_user(session)
    [chapter] = file(session, ada, MediaKind.EPUB, epub_files.a_book("<p>It begins here.</p>"))
    place = ReadingPosition(
        user_id=ada.user_id, fragment_id=chapter.id, text_offset=7, changed_at=SAVED
    )
    session.add(place)
    session.commit()
    data, _ = exported(session, ada, ExportFormat.NEXUS)
    imported(session, bo, data, read_files=False)
    waiting = select(WaitingPosition.text_offset).where(WaitingPosition.user_id == bo.user_id)
    assert session.scalars(waiting).all() == [7]
    # They are not lost if it is exported meanwhile.
    [entry] = entries(exported(session, bo, ExportFormat.NEXUS)[0])
    assert entry["positions"] == [
        {"fragment": 0, "offset": 7, "changed_at": SAVED.isoformat()},
    ]
    [item] = own_items(session, bo)
    ingest_media(str(item))
    session.rollback()
    assert session.scalars(waiting).all() == []
    reached = select(ReadingPosition.text_offset).where(ReadingPosition.user_id == bo.user_id)
    assert session.scalars(reached).all() == [7]

"""Highlights from elsewhere become highlights where their quote is, and nowhere else."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor, ProcessingStatus, UnplacedState
from nexus.db.models import (
    Annotation,
    Fragment,
    Highlight,
    MediaOutline,
    UnplacedHighlight,
)
from nexus.db.task_session import task_session
from nexus.extractors.interface import Document, FragmentText, Job
from nexus.html.sanitize import SanitizedHtml
from nexus.importers.records import ImportedHighlight
from nexus.services import media_lifecycle, unplaced
from nexus.services.document_store import store_document
from nexus.services.unplaced_place import forgotten_items, place, place_waiting
from nexus.services.viewer import Viewer
from nexus.tasks import place_highlights
from tests.factories import make_article, make_media, make_user
from tests.queues import queued_placements
from tests.quotes.texts import ENGLISH

MADE, CHANGED = datetime(2019, 5, 1, tzinfo=UTC), datetime(2020, 5, 1, tzinfo=UTC)


@pytest.fixture
def viewer(session: Session) -> Viewer:
    return make_user(session)


@pytest.fixture
def article(session: Session, viewer: Viewer) -> Fragment:
    return make_article(session, viewer, text=ENGLISH)


def keep(session: Session, viewer: Viewer, media_id: UUID, *highlights: ImportedHighlight) -> None:
    unplaced.keep(
        session,
        user_id=viewer.user_id,
        media_id=media_id,
        import_id=None,
        highlights=highlights,
    )
    session.commit()


def placed(session: Session, viewer: Viewer, media_id: UUID) -> tuple[int, int]:
    done = place(session, user_id=viewer.user_id, media_id=media_id)
    session.commit()
    return done.placed, done.not_found


def marks(session: Session, media_id: UUID) -> dict[str, str | None]:
    """The passages that are highlighted, and the notes on them."""
    query = (
        select(Highlight.exact, Annotation.body)
        .outerjoin(Annotation, Annotation.highlight_id == Highlight.id)
        .join(Fragment, Fragment.id == Highlight.fragment_id)
        .where(Fragment.media_id == media_id)
    )
    return {row[0]: row[1] for row in session.execute(query)}


def states(session: Session, media_id: UUID) -> list[str]:
    query = select(UnplacedHighlight.state).where(UnplacedHighlight.media_id == media_id)
    return sorted(session.scalars(query))


def test_found_ones_become_highlights(session: Session, viewer: Viewer, article: Fragment) -> None:
    one = ImportedHighlight(
        "the wind had turnd",
        note="at last",
        color=HighlightColor.BLUE,
        created_at=MADE,
        updated_at=CHANGED,
    )
    missing = ImportedHighlight("The mountains were silent that year.", note="kept")
    whole = ImportedHighlight("", note="on the whole")
    keep(session, viewer, article.media_id, one, missing, whole)
    assert placed(session, viewer, article.media_id) == (1, 1)
    highlight = session.scalars(select(Highlight).where(Highlight.fragment_id == article.id)).one()
    start = ENGLISH.index("the wind had turned")
    assert (highlight.exact, highlight.start_offset) == ("the wind had turned", start)
    assert highlight.prefix == ENGLISH[start - 64 : start]
    assert highlight.color is HighlightColor.BLUE
    assert (highlight.created_at, highlight.updated_at) == (MADE, CHANGED)
    note = session.scalars(select(Annotation).where(Annotation.highlight_id == highlight.id)).one()
    assert (note.body, note.created_at, note.updated_at) == ("at last", MADE, CHANGED)
    assert highlight.words is not None
    assert note.words is not None
    left = unplaced.list_unplaced(session, viewer, media_id=article.media_id).unplaced
    assert {(one.quote, one.note, one.state) for one in left} == {
        (missing.quote, "kept", "not_found"),
        ("", "on the whole", "not_found"),
    }


def test_running_the_import_again_adds_nothing(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    one = ImportedHighlight("the wind had turned", note="at last")
    keep(session, viewer, article.media_id, one)
    assert placed(session, viewer, article.media_id) == (1, 0)
    session.execute(update(Annotation).values(body="changed by hand").filter_by(body="at last"))
    keep(session, viewer, article.media_id, one)
    assert placed(session, viewer, article.media_id) == (0, 0)
    assert marks(session, article.media_id) == {"the wind had turned": "changed by hand"}


def test_notes_on_the_same_passage_are_joined(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    notes = ("first", "second", "first", None)
    same = [ImportedHighlight("lone pine", note=note, position=n) for n, note in enumerate(notes)]
    keep(session, viewer, article.media_id, *same)
    assert placed(session, viewer, article.media_id) == (4, 0)
    (body,) = marks(session, article.media_id).values()
    assert sorted((body or "").split("\n\n")) == ["first", "second"]


def test_a_note_that_does_not_fit_is_not_lost(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    long = [ImportedHighlight("lone pine", note=sign * 6_000) for sign in "ab"]
    too_long = ImportedHighlight("church tower", note="c" * 10_001)
    keep(session, viewer, article.media_id, *long, too_long)
    assert placed(session, viewer, article.media_id) == (1, 2)
    left = unplaced.list_unplaced(session, viewer, media_id=article.media_id).unplaced
    assert sorted(len(one.note or "") for one in left) == [6_000, 10_001]
    assert list(marks(session, article.media_id)) == ["lone pine"]


def test_the_place_our_own_archive_names(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    second = ENGLISH.rindex("The harbour")
    there = ImportedHighlight("The harbour", fragment=0, start=second, end=second + 11)
    elsewhere = ImportedHighlight("harbour", fragment=0, start=0, end=7)
    keep(session, viewer, article.media_id, there, elsewhere)
    assert placed(session, viewer, article.media_id) == (1, 1)
    query = select(Highlight.start_offset).where(Highlight.fragment_id == article.id)
    assert session.scalars(query).all() == [second]


def test_the_order_of_the_source_decides_between_equals(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    twice = "The harbour lay still that"
    keep(
        session,
        viewer,
        article.media_id,
        ImportedHighlight("the wind had turned", position=500),
        ImportedHighlight(twice, position=900),
        ImportedHighlight("the Needle took", position=950),
    )
    assert placed(session, viewer, article.media_id) == (2, 1)
    query = select(Highlight.start_offset).where(Highlight.exact == twice)
    assert session.scalars(query.where(Highlight.fragment_id == article.id)).all() == [
        ENGLISH.rindex(twice)
    ]


def test_the_page_decides_between_equals(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    second = ENGLISH.rindex("The harbour")
    pages: list[dict[str, Any]] = [
        {"number": number, "label": label, "fragment_idx": 0, "offset": offset}
        for number, (label, offset) in enumerate([("xi", 0), ("xii", second)], start=1)
    ]
    session.add(MediaOutline(media_id=article.media_id, contents=[], pages=pages))
    keep(session, viewer, article.media_id, ImportedHighlight("The harbour lay still", page="XII "))
    assert placed(session, viewer, article.media_id) == (1, 0)
    query = select(Highlight.start_offset).where(Highlight.fragment_id == article.id)
    assert session.scalars(query).all() == [second]


def test_books_are_searched_as_a_whole(session: Session, viewer: Viewer) -> None:
    media = make_media(session, viewer, processing_status=ProcessingStatus.READY_FOR_READING)
    texts = ("Chapter one. Nothing happens here at all.", ENGLISH)
    for idx, text in enumerate(texts):
        session.add(Fragment(media_id=media.id, idx=idx, html_sanitized=text, canonical_text=text))
    session.commit()
    keep(session, viewer, media.id, ImportedHighlight("Nothing happens"))
    keep(session, viewer, media.id, ImportedHighlight("the wind had turned"))
    assert placed(session, viewer, media.id) == (2, 0)
    assert marks(session, media.id).keys() == {"Nothing happens", "the wind had turned"}


def test_what_waits_is_placed_when_the_text_is_there(session: Session, viewer: Viewer) -> None:
    media = make_media(session, viewer)
    keep(session, viewer, media.id, ImportedHighlight("the wind had turned"))
    assert placed(session, viewer, media.id) == (0, 0)
    assert states(session, media.id) == ["waiting"]
    media_lifecycle.worker_start_attempt(session, media.id)
    session.commit()
    text = FragmentText(SanitizedHtml("<p></p>"), ENGLISH)
    document = Document((text,), title="Tides")
    with task_session() as task:
        job = Job(media.id, 1, media.kind)
        store_document(task, job, document, canonical_url=None, actor_user_id=None)
    assert queued_placements().count(str(media.id)) == 1
    assert not place_waiting(task_session, media_id=media.id)
    assert list(marks(session, media.id)) == ["the wind had turned"]
    assert states(session, media.id) == ["placed"]


def test_everybody_gets_their_own(session: Session, viewer: Viewer) -> None:
    other = make_user(session)
    libraries = [viewer.default_library_id, other.default_library_id]
    article = make_article(session, viewer, text=ENGLISH, library_ids=libraries)
    for person in (viewer, other):
        keep(session, person, article.media_id, ImportedHighlight("the wind had turned"))
    assert not place_waiting(task_session, media_id=article.media_id)
    owners = session.scalars(select(Highlight.user_id).where(Highlight.fragment_id == article.id))
    assert set(owners) == {viewer.user_id, other.user_id}


def test_what_takes_too_long_is_continued(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    quotes = ("the wind had turned", "lone pine", "white rock")
    keep(session, viewer, article.media_id, *map(ImportedHighlight, quotes))
    assert place_waiting(task_session, media_id=article.media_id, seconds=-1)
    assert len(marks(session, article.media_id)) == 1
    while place_waiting(task_session, media_id=article.media_id, seconds=-1):
        pass
    assert marks(session, article.media_id).keys() == set(quotes)


def test_lost_messages_are_sent_again(session: Session, viewer: Viewer, article: Fragment) -> None:
    unread = make_media(session, viewer)
    for media_id in (article.media_id, unread.id):
        keep(session, viewer, media_id, ImportedHighlight("the wind had turned"))
    assert str(article.media_id) not in queued_placements()
    forgotten = forgotten_items(session)
    assert article.media_id in forgotten
    assert unread.id not in forgotten
    place_highlights(str(article.media_id))
    assert article.media_id not in forgotten_items(session)
    assert states(session, article.media_id) == ["placed"]


def test_what_stopped_a_worker_is_tried_again_much_later(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    keep(session, viewer, article.media_id, ImportedHighlight("the wind had turned"))
    own = update(UnplacedHighlight).where(UnplacedHighlight.media_id == article.media_id)
    session.execute(own.values(tried_at=datetime.now(UTC)))
    assert article.media_id not in forgotten_items(session)
    session.execute(own.values(tried_at=datetime.now(UTC) - timedelta(hours=2)))
    assert article.media_id in forgotten_items(session)
    session.rollback()


def test_a_deleted_one_is_left_alone(session: Session, viewer: Viewer, article: Fragment) -> None:
    keep(session, viewer, article.media_id, ImportedHighlight("the wind had turned"))
    (row,) = unplaced.list_unplaced(session, viewer, media_id=article.media_id).unplaced
    unplaced.delete_unplaced(session, viewer, unplaced_id=row.id)
    session.commit()
    assert placed(session, viewer, article.media_id) == (0, 0)
    assert marks(session, article.media_id) == {}


def test_it_counts_as_unchanged_since_it_was_placed(
    session: Session, viewer: Viewer, article: Fragment
) -> None:
    keep(session, viewer, article.media_id, ImportedHighlight("lone pine", note="x"))
    placed(session, viewer, article.media_id)
    row = session.scalars(
        select(UnplacedHighlight).where(UnplacedHighlight.media_id == article.media_id)
    ).one()
    highlight = session.get_one(Highlight, row.highlight_id)
    assert row.state is UnplacedState.PLACED
    assert row.tried_at is not None
    assert highlight.updated_at <= row.tried_at

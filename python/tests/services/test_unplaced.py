"""Highlights from elsewhere are kept once, and go where their item goes."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from nexus.db.enums import UnplacedState
from nexus.db.models import Media, UnplacedHighlight
from nexus.errors import MediaNotFoundError, NotFoundError
from nexus.importers.records import ImportedHighlight
from nexus.services import unplaced
from nexus.services.media_merge import merge_media
from nexus.services.media_removal import remove_media, restore_media
from nexus.services.viewer import Viewer
from tests.factories import make_media, make_user


def keep(session: Session, viewer: Viewer, media_id: UUID, *highlights: ImportedHighlight) -> int:
    kept = unplaced.keep(
        session,
        user_id=viewer.user_id,
        media_id=media_id,
        import_id=uuid4(),
        highlights=highlights,
    )
    session.commit()
    return kept


def quotes(session: Session, viewer: Viewer, media_id: UUID) -> list[str]:
    found = unplaced.list_unplaced(session, viewer, media_id=media_id).unplaced
    return [one.quote for one in found]


@pytest.fixture
def viewer(session: Session) -> Viewer:
    return make_user(session)


@pytest.fixture
def media_id(session: Session, viewer: Viewer) -> UUID:
    return make_media(session, viewer).id


def test_the_same_is_kept_once(session: Session, viewer: Viewer, media_id: UUID) -> None:
    same = ImportedHighlight("A tide", note="why?")
    assert keep(session, viewer, media_id, same, same, ImportedHighlight("A tide")) == 2
    assert keep(session, viewer, media_id, same, ImportedHighlight("A tide", page="7")) == 1
    assert quotes(session, viewer, media_id) == ["A tide"] * 3


def test_the_same_words_at_two_places_are_two(
    session: Session, viewer: Viewer, media_id: UUID
) -> None:
    first, second = (
        ImportedHighlight("tide", prefix="low "),
        ImportedHighlight("tide", prefix="high "),
    )
    assert keep(session, viewer, media_id, first, second) == 2


def test_each_person_keeps_their_own(session: Session, viewer: Viewer) -> None:
    other = make_user(session)
    libraries = [viewer.default_library_id, other.default_library_id]
    media_id = make_media(session, viewer, library_ids=libraries).id
    assert keep(session, viewer, media_id, ImportedHighlight("A tide")) == 1
    assert keep(session, other, media_id, ImportedHighlight("A tide")) == 1
    assert quotes(session, other, media_id) == ["A tide"]


def test_nothing_is_lost_on_the_way(session: Session, viewer: Viewer, media_id: UUID) -> None:
    made, changed = datetime(2019, 5, 1, tzinfo=UTC), datetime(2020, 5, 1, tzinfo=UTC)
    keep(
        session,
        viewer,
        media_id,
        ImportedHighlight(
            "b\0 \ud800 ", note=" n ", created_at=made, updated_at=changed, position=2
        ),
        ImportedHighlight("", note="on the whole", tags=("two words", "x"), position=1),
        ImportedHighlight("  ", note=None),
    )
    rows = session.scalars(
        select(UnplacedHighlight)
        .where(UnplacedHighlight.media_id == media_id)
        .order_by(UnplacedHighlight.position)
    ).all()
    assert [(row.quote, row.note, row.state) for row in rows] == [
        ("", "on the whole\n\n#two-words #x", UnplacedState.NOT_FOUND),
        ("b", "n", UnplacedState.WAITING),
    ]
    assert (rows[1].created_at, rows[1].updated_at) == (made, changed)


def test_dates_of_the_future_become_now(session: Session, viewer: Viewer, media_id: UUID) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    keep(session, viewer, media_id, ImportedHighlight("a", created_at=later))
    (row,) = unplaced.list_unplaced(session, viewer, media_id=media_id).unplaced
    assert row.created_at < later


def test_what_is_deleted_stays_deleted_when_imported_again(
    session: Session, viewer: Viewer, media_id: UUID
) -> None:
    keep(session, viewer, media_id, ImportedHighlight("A tide", note="why?"))
    (row,) = unplaced.list_unplaced(session, viewer, media_id=media_id).unplaced
    unplaced.delete_unplaced(session, viewer, unplaced_id=row.id)
    session.commit()
    assert quotes(session, viewer, media_id) == []
    assert unplaced.restore_unplaced(session, viewer, unplaced_id=row.id).quote == "A tide"
    unplaced.delete_unplaced(session, viewer, unplaced_id=row.id)
    unplaced.forget_deleted(session)  # of other tests
    long_ago = datetime.now(UTC) - timedelta(minutes=1)
    session.execute(update(UnplacedHighlight).values(deleted_at=long_ago).filter_by(id=row.id))
    with pytest.raises(NotFoundError):
        unplaced.restore_unplaced(session, viewer, unplaced_id=row.id)
    assert unplaced.forget_deleted(session) == 1
    session.commit()
    gone = session.get_one(UnplacedHighlight, row.id)
    assert (gone.state, gone.quote, gone.note) == (UnplacedState.GONE, "", None)
    assert keep(session, viewer, media_id, ImportedHighlight("A tide", note="why?")) == 0


def test_a_merge_takes_them_along(session: Session, viewer: Viewer, media_id: UUID) -> None:
    winner = make_media(session, viewer)
    keep(session, viewer, media_id, ImportedHighlight("one"), ImportedHighlight("both"))
    keep(session, viewer, winner.id, ImportedHighlight("both"))
    loser = session.get_one(Media, media_id)
    merge_media(session, loser=loser, winner=winner, reader_id=viewer.user_id)
    session.commit()
    assert sorted(quotes(session, viewer, winner.id)) == ["both", "one"]
    # By the id of the item that is gone as well.
    assert keep(session, viewer, media_id, ImportedHighlight("one"), ImportedHighlight("late")) == 1
    assert len(quotes(session, viewer, media_id)) == 3


def test_undoing_a_removal_brings_them_back(
    session: Session, viewer: Viewer, media_id: UUID
) -> None:
    keep(session, viewer, media_id, ImportedHighlight("A tide", note="why?"))
    remove_media(session, viewer, media_id=media_id)
    session.commit()
    of_item = select(UnplacedHighlight).where(UnplacedHighlight.media_id == media_id)
    assert session.scalars(of_item).all() == []
    restore_media(session, viewer, media_id=media_id)
    session.commit()
    assert quotes(session, viewer, media_id) == ["A tide"]


def test_a_new_text_is_searched_again(session: Session, viewer: Viewer, media_id: UUID) -> None:
    keep(
        session,
        viewer,
        media_id,
        ImportedHighlight("A tide"),
        ImportedHighlight("", note="on the whole"),
    )
    of_item = UnplacedHighlight.media_id == media_id
    session.execute(update(UnplacedHighlight).where(of_item).values(state="not_found"))
    unplaced.wait_for_text(session, media_id=media_id)
    query = select(UnplacedHighlight.quote, UnplacedHighlight.state).where(of_item)
    states = {row[0]: row[1] for row in session.execute(query)}
    assert states["A tide"] is UnplacedState.WAITING
    assert states[""] is UnplacedState.NOT_FOUND


def test_only_on_items_that_exist(session: Session, viewer: Viewer) -> None:
    with pytest.raises(MediaNotFoundError):
        keep(session, viewer, uuid4(), ImportedHighlight("A tide"))

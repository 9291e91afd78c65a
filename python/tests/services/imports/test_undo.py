"""An undo takes back what an import added, and leaves what the person has touched since."""

from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor, ImportOutcome, ImportState, MediaKind
from nexus.db.models import (
    Highlight,
    Import,
    Library,
    LibraryMedia,
    Media,
    SavedAddress,
    ShelfItem,
    Tag,
    UnplacedHighlight,
)
from nexus.importers.records import ImportedHighlight, ImportedItem
from nexus.schemas.shelf import MineRequest
from nexus.schemas.unplaced import PlaceHighlightRequest
from nexus.services import shelf
from nexus.services.imports.undo import undo_import
from nexus.services.library_media import add_media_to_library
from nexus.services.media_create import create_from_url
from nexus.services.media_merge import merge_media
from nexus.services.media_read import get_media
from nexus.services.unplaced_place import place
from nexus.services.unplaced_write import place_by_hand
from nexus.services.viewer import Viewer
from tests.factories import make_article, make_library, make_user
from tests.imported import imported, records_of, run_to_the_end


def address() -> str:
    return f"https://example.org/{uuid4()}"


def undo(session: Session, viewer: Viewer, import_id: UUID) -> None:
    undo_import(session, viewer, import_id=import_id)
    session.commit()
    run_to_the_end(import_id)
    session.expire_all()


def left(session: Session, viewer: Viewer) -> set[UUID]:
    held = select(LibraryMedia.media_id).where(LibraryMedia.library_id == viewer.default_library_id)
    return set(session.scalars(held))


def test_nothing_of_an_import_is_left(session: Session) -> None:
    person = make_user(session)
    lines = [
        ImportedItem(
            number,
            address(),
            title="Gone",
            tags=("a",),
            folders=("F",),
            archived=number % 2 == 0,
            highlights=(ImportedHighlight("quote"),),
        )
        for number in range(1, 421)
    ]
    lines.append(ImportedItem(500, None, title=f"A book {uuid4()}"))
    import_id = imported(session, person, lines)
    ids = {record.media_id for record in records_of(session, import_id)}
    undo(session, person, import_id)
    assert left(session, person) == set()
    for model in (SavedAddress, ShelfItem, Tag, UnplacedHighlight):
        whose = select(func.count()).select_from(model).where(model.user_id == person.user_id)
        assert session.scalar(whose) == 0, model
    own = select(Library.is_default).where(Library.owner_user_id == person.user_id)
    assert session.scalars(own).all() == [True]
    assert session.scalars(select(Media.id).where(Media.id.in_(ids))).all() == []
    found = session.get_one(Import, import_id)
    assert (found.state, found.unfinished, found.items_done) == (ImportState.UNDONE, False, 0)
    assert {record.outcome for record in records_of(session, import_id)} == {ImportOutcome.UNDONE}


@pytest.mark.parametrize("touch", ["opened", "state", "tag", "library"])
def test_what_was_touched_since_stays(session: Session, touch: str) -> None:
    person = make_user(session)
    import_id = imported(
        session, person, [ImportedItem(1, address(), tags=("a",)), ImportedItem(2, address())]
    )
    kept, gone = (record.media_id for record in records_of(session, import_id))
    assert kept
    assert gone
    if touch == "opened":
        shelf.mark_opened(session, person, media_id=kept)
    elif touch == "state":
        shelf.change_mine(session, person, media_id=kept, request=MineRequest(favourite=True))
    elif touch == "tag":
        shelf.change_mine(session, person, media_id=kept, request=MineRequest(tags=["a", "own"]))
    else:
        library = make_library(session, person)
        add_media_to_library(session, person, library_id=library.id, media_id=kept)
    session.commit()
    undo(session, person, import_id)
    assert left(session, person) == {kept}
    assert get_media(session, person, media_id=kept).tags == (["own"] if touch == "tag" else [])
    first, _ = records_of(session, import_id)
    assert first.reason == "You have changed this item since, so it stays."


def test_what_was_there_before_loses_only_what_the_import_added(session: Session) -> None:
    person = make_user(session)
    url = address()
    made = create_from_url(session, person, kind=MediaKind.WEB_ARTICLE, url=url)
    session.commit()
    shelf.change_mine(session, person, media_id=made.media_id, request=MineRequest(tags=["own"]))
    session.commit()
    import_id = imported(session, person, [ImportedItem(1, url, tags=("own", "new"))])
    assert get_media(session, person, media_id=made.media_id).tags == ["new", "own"]
    undo(session, person, import_id)
    assert get_media(session, person, media_id=made.media_id).tags == ["own"]


def test_what_others_have_too_stays_theirs(session: Session) -> None:
    person, other = make_user(session), make_user(session)
    url = address()
    import_id = imported(session, person, [ImportedItem(1, url)])
    theirs = create_from_url(session, other, kind=MediaKind.WEB_ARTICLE, url=url)
    session.commit()
    undo(session, person, import_id)
    assert left(session, person) == set()
    assert get_media(session, other, media_id=theirs.media_id).requested_url == url


def test_what_turned_out_to_be_an_item_of_theirs_stays(session: Session) -> None:
    person = make_user(session)
    made = create_from_url(session, person, kind=MediaKind.WEB_ARTICLE, url=address())
    session.commit()
    import_id = imported(session, person, [ImportedItem(1, address())])
    (record,) = records_of(session, import_id)
    loser, winner = session.get_one(Media, record.media_id), session.get_one(Media, made.media_id)
    merge_media(session, loser=loser, winner=winner, reader_id=person.user_id)
    session.commit()
    undo(session, person, import_id)
    assert left(session, person) == {made.media_id}


def test_highlights_go_unless_they_were_changed(session: Session) -> None:
    person = make_user(session)
    fragment = make_article(session, person, text="One passage here. Another passage there.")
    media = session.get_one(Media, fragment.media_id)
    quotes = (ImportedHighlight("One passage"), ImportedHighlight("Another passage"))
    line = ImportedItem(1, None, title=f"The article {uuid4()}", highlights=quotes)
    media.title = line.title or ""
    session.commit()
    import_id = imported(session, person, [line])
    place(session, user_id=person.user_id, media_id=media.id)
    session.commit()
    query = select(Highlight).where(Highlight.fragment_id == fragment.id)
    kept, _ = session.scalars(query.order_by(Highlight.start_offset)).all()
    kept.color = HighlightColor.BLUE
    session.commit()
    undo(session, person, import_id)
    assert session.scalars(query).all() == [kept]
    left_over = select(UnplacedHighlight).where(UnplacedHighlight.import_id == import_id)
    assert session.scalars(left_over).all() == []


def test_what_was_placed_by_hand_stays(session: Session) -> None:
    person = make_user(session)
    fragment = make_article(session, person, text="One passage here.")
    media = session.get_one(Media, fragment.media_id)
    line = ImportedItem(
        1, None, title=f"The article {uuid4()}", highlights=(ImportedHighlight("Not in it"),)
    )
    media.title = line.title or ""
    session.commit()
    import_id = imported(session, person, [line])
    place(session, user_id=person.user_id, media_id=media.id)
    unplaced = session.scalars(
        select(UnplacedHighlight.id).where(UnplacedHighlight.import_id == import_id)
    ).one()
    request = PlaceHighlightRequest(
        id=uuid4(),
        fragment_id=fragment.id,
        start_offset=0,
        end_offset=3,
        color=HighlightColor.YELLOW,
        exact="One",
        prefix="",
        suffix=" passage here.",
    )
    placed, _ = place_by_hand(session, person, unplaced_id=unplaced, request=request)
    session.commit()
    undo(session, person, import_id)
    query = select(Highlight.id).where(Highlight.fragment_id == fragment.id)
    assert session.scalars(query).all() == [placed.id]

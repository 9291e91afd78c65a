"""Lines of an import become items, in order, once."""

from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import delete, func, select, text
from sqlalchemy.orm import Session

from nexus.db.enums import (
    ImportOutcome,
    ImportState,
    MediaKind,
    MembershipRole,
    ReadingState,
)
from nexus.db.models import (
    Import,
    ItemTag,
    Library,
    LibraryMedia,
    Media,
    SavedAddress,
    ShelfItem,
    Tag,
    UnplacedHighlight,
)
from nexus.importers.records import ImportedHighlight, ImportedItem, Skipped
from nexus.schemas.media import MediaOut
from nexus.services.imports.batch import SIZE
from nexus.services.imports.books import take_over_highlights
from nexus.services.imports.read import get_import
from nexus.services.media_create import create_from_url
from nexus.services.media_list import list_media
from nexus.services.media_read import get_media
from nexus.services.viewer import Viewer
from tests.factories import make_article, make_library, make_user
from tests.imported import imported, previewed, records_of, run_to_the_end, start

EARLIER = datetime(2015, 3, 4, 5, 6, tzinfo=UTC)


def address() -> str:
    return f"https://example.org/{uuid4()}"


def item_of(session: Session, viewer: Viewer, import_id: object, number: int = 0) -> MediaOut:
    record = records_of(session, import_id)[number]  # type: ignore[arg-type]
    assert record.media_id is not None
    return get_media(session, viewer, media_id=record.media_id)


def test_everything_an_item_brings_comes_along(session: Session) -> None:
    person = make_user(session)
    record = ImportedItem(
        line=3,
        url=address(),
        title="A page from long ago",
        saved_at=EARLIER,
        tags=("Go", "go", "systems, research"),
        folders=("Research / Go",),
        state=ReadingState.READING,
        progress=0.25,
        archived=True,
        favourite=True,
        excerpt="How it began.",
        highlights=(ImportedHighlight("a passage", note="why"),),
    )
    chosen = make_library(session, person, name="Chosen")
    import_id = imported(session, person, [record], library_id=chosen.id, tags=["old"])
    media = item_of(session, person, import_id)
    assert media.title == "A page from long ago"
    assert media.excerpt == "How it began."
    assert media.saved_at == EARLIER
    assert media.tags == ["Go", "old", "systems research"]
    assert (media.state, media.progress) == (ReadingState.READING, 0.25)
    assert media.archived
    assert media.favourite
    held = select(Library.name).join(LibraryMedia).where(LibraryMedia.media_id == media.id)
    assert set(session.scalars(held)) == {"My Library", "Chosen", "Research / Go"}
    kept = session.scalars(
        select(UnplacedHighlight).where(UnplacedHighlight.import_id == import_id)
    ).one()
    assert (kept.quote, kept.note, kept.media_id) == ("a passage", "why", media.id)
    found = session.get_one(Import, import_id)
    assert found.state is ImportState.DONE
    assert not found.unfinished


def test_imported_pages_wait_in_the_background(session: Session) -> None:
    person = make_user(session)
    import_id = imported(session, person, [ImportedItem(1, address())])
    media = session.get_one(Media, records_of(session, import_id)[0].media_id)
    assert media.background_site == "example.org"
    assert media.queued_for_user_id == person.user_id


def test_addresses_of_videos_become_videos(session: Session) -> None:
    person = make_user(session)
    video = uuid4().hex[:11]
    records = [
        ImportedItem(1, f"https://youtu.be/{video}?t=3", title="A talk"),
        ImportedItem(2, f"https://m.youtube.com/watch?v={video}"),
        ImportedItem(3, f"https://www.youtube.com/@somebody-{video}"),
    ]
    import_id = imported(session, person, records)
    talk, same, channel = (item_of(session, person, import_id, number) for number in range(3))
    assert (talk.id, talk.title) == (same.id, "A talk")
    assert [talk.kind, channel.kind] == [MediaKind.VIDEO, MediaKind.WEB_ARTICLE]
    stored = session.get_one(Media, talk.id)
    assert stored.external_playback_url == f"https://www.youtube.com/watch?v={video}"
    assert (stored.provider, stored.provider_id) == ("youtube", video)
    # The channel is fetched, the video is not waited for.
    assert get_import(session, person, import_id=import_id).counts.items_waiting == 1
    saved = create_from_url(session, person, kind="video", url=f"https://youtu.be/{video}")
    assert saved.media_id == talk.id
    again = imported(session, person, records)
    assert item_of(session, person, again).id == talk.id


def test_running_the_same_import_twice_adds_nothing(session: Session) -> None:
    person = make_user(session)
    records = [
        ImportedItem(
            number,
            f"http://example.org/{uuid4()}?utm_source=x",
            title="Twice",
            tags=("a", "b"),
            folders=("F",),
            highlights=(ImportedHighlight("quote"),),
        )
        for number in range(1, 6)
    ]
    records.append(ImportedItem(6, None, title=f"A book {uuid4()}", authors=("Ann Author",)))

    def rows() -> list[int]:
        session.rollback()
        whose = {
            LibraryMedia: LibraryMedia.library_id == person.default_library_id,
            SavedAddress: SavedAddress.user_id == person.user_id,
            ShelfItem: ShelfItem.user_id == person.user_id,
            ItemTag: ItemTag.user_id == person.user_id,
            Tag: Tag.user_id == person.user_id,
            Library: Library.owner_user_id == person.user_id,
            UnplacedHighlight: UnplacedHighlight.user_id == person.user_id,
        }
        return [
            session.scalar(select(func.count()).select_from(model).where(condition)) or 0
            for model, condition in whose.items()
        ]

    imported(session, person, records)
    before = rows()
    assert before == [6, 5, 6, 10, 2, 2, 5]
    again = imported(session, person, records)
    assert rows() == before
    assert {record.outcome for record in records_of(session, again)} == {ImportOutcome.EXISTING}


def test_an_item_that_is_there_keeps_what_the_person_made_of_it(session: Session) -> None:
    person = make_user(session)
    url = address()
    made = create_from_url(session, person, kind=MediaKind.WEB_ARTICLE, url=url)
    session.commit()
    before = get_media(session, person, media_id=made.media_id)
    record = ImportedItem(
        1, url, saved_at=EARLIER, archived=True, favourite=True, tags=("new",), folders=("Shelf",)
    )
    imported(session, person, [record])
    after = get_media(session, person, media_id=made.media_id)
    assert (after.saved_at, after.archived, after.favourite) == (before.saved_at, False, False)
    assert after.tags == ["new"]
    media = session.get_one(Media, made.media_id)
    assert media.background_site is None, "somebody waits for it"


def test_two_lines_with_one_address_are_one_item(session: Session) -> None:
    person = make_user(session)
    path = f"example.org/{uuid4()}"
    lines = [
        ImportedItem(1, f"http://{path}", tags=("one",)),
        ImportedItem(2, f"https://{path}#part", tags=("two",)),
    ]
    import_id = imported(session, person, lines)
    first, second = records_of(session, import_id)
    assert first.media_id == second.media_id
    assert (first.outcome, second.outcome) == (ImportOutcome.ADDED, ImportOutcome.EXISTING)
    assert item_of(session, person, import_id).tags == ["one", "two"]


# Rows of shelves that are not what triggers would have made of them.
WRONG_ROWS = text(
    """
    SELECT shelf.media_id FROM shelf_items AS shelf
    JOIN media ON media.id = shelf.media_id
    JOIN (
        SELECT user_id, media_id, min(library_media.created_at) AS saved_at
        FROM library_media JOIN memberships USING (library_id) GROUP BY user_id, media_id
    ) AS entry ON entry.user_id = shelf.user_id AND entry.media_id = shelf.media_id
    WHERE shelf.user_id = ANY(:people) AND (
        NOT shelf.visible
        OR (shelf.saved_at, shelf.kind, shelf.length, shelf.title_key, shelf.words)
            IS DISTINCT FROM (
                entry.saved_at, media.kind, media.word_count, title_key(media),
                shelf_words(shelf.user_id, shelf.media_id)
            )
    )
    """
)


def test_shelves_are_as_triggers_would_keep_them(session: Session) -> None:
    person, member = make_user(session), make_user(session)
    shared = make_library(session, person, members={member.user_id: MembershipRole.MEMBER})
    removed, tagged, known = address(), address(), address()
    make_article(session, make_user(session), canonical_url=known, words="'known':1A")
    imported(session, person, [ImportedItem(1, removed, tags=("kept",)), ImportedItem(2, tagged)])
    gone = select(Media.id).where(Media.requested_url == removed).scalar_subquery()
    session.execute(delete(LibraryMedia).where(LibraryMedia.media_id == gone))
    session.commit()
    records = [
        ImportedItem(1, address(), title="New", saved_at=EARLIER, tags=("b", "a"), folders=("F",)),
        ImportedItem(2, removed, saved_at=EARLIER, tags=("back",)),
        ImportedItem(3, tagged, tags=("more",), folders=("F",)),
        ImportedItem(4, known, tags=("read",)),
        ImportedItem(5, None, title=f"A book {uuid4()}", tags=("book",)),
    ]
    imported(session, person, records, library_id=shared.id)
    people = [person.user_id, member.user_id]
    on_shelves = select(func.count()).where(ShelfItem.user_id.in_(people), ShelfItem.visible)
    assert session.scalar(on_shelves) == 2 * len(records)
    assert session.scalars(WRONG_ROWS, {"people": people}).all() == []


def test_what_cannot_be_saved_is_said_and_stops_nothing(session: Session) -> None:
    person = make_user(session)
    lines: list[ImportedItem | Skipped] = [
        ImportedItem(1, "javascript:alert(1)", title="A bookmarklet"),
        ImportedItem(2, "http://10.0.0.1/admin"),
        ImportedItem(3, None),
        Skipped(4, "about:blank", "Not an address of a page."),
        ImportedItem(5, address()),
    ]
    import_id = imported(session, person, lines)
    records = records_of(session, import_id)
    assert [record.outcome for record in records] == [
        *[ImportOutcome.FAILED] * 3,
        ImportOutcome.SKIPPED,
        ImportOutcome.ADDED,
    ]
    assert all(record.reason for record in records[:4])
    found = session.get_one(Import, import_id)
    assert (found.items_done, found.items_failed) == (1, 3)


def test_what_another_person_calls_a_page_stays_theirs(session: Session) -> None:
    one, other = make_user(session), make_user(session)
    url = address()
    mine = imported(session, one, [ImportedItem(1, url, title="A secret name", excerpt="Psst")])
    theirs = imported(session, other, [ImportedItem(1, url, title="Mine")])
    assert item_of(session, one, mine).title == "A secret name"
    seen = item_of(session, other, theirs)
    assert (seen.title, seen.excerpt) == ("Mine", None)
    third = make_user(session)
    saved = create_from_url(session, third, kind=MediaKind.WEB_ARTICLE, url=url)
    session.commit()
    assert get_media(session, third, media_id=saved.media_id).title == url


def test_a_book_without_address_finds_its_item(session: Session) -> None:
    person = make_user(session)
    title = f"Über die Zeit {uuid4()}"
    fragment = make_article(session, person, title=title, kind=MediaKind.EPUB, requested_url=None)
    record = ImportedItem(
        1, None, title=title.upper(), highlights=(ImportedHighlight("Some text"),)
    )
    import_id = imported(session, person, [record])
    (line,) = records_of(session, import_id)
    assert line.media_id == fragment.media_id
    assert line.outcome is ImportOutcome.EXISTING


def test_a_book_that_is_not_there_waits_for_its_file(session: Session) -> None:
    person = make_user(session)
    record = ImportedItem(
        1,
        None,
        title=f"The Long Book {uuid4()}",
        authors=("Ann Author",),
        highlights=(ImportedHighlight("a line to remember"),),
    )
    import_id = imported(session, person, [record])
    media = item_of(session, person, import_id)
    assert media.title == record.title
    assert media.authors == ["Ann Author"]
    assert media.last_error_code == "E_NO_SOURCE"
    assert media.can_retry, "its file can be added"
    assert not media.capabilities.can_read


def test_the_book_comes_later_and_finds_its_highlights(session: Session) -> None:
    person = make_user(session)
    title = f"The Long Book {uuid4()}"
    record = ImportedItem(
        1, None, title=title, tags=("read",), highlights=(ImportedHighlight("Some text"),)
    )
    import_id = imported(session, person, [record])
    (line,) = records_of(session, import_id)
    fragment = make_article(session, person, title=title, kind=MediaKind.EPUB, requested_url=None)
    book = session.get_one(Media, fragment.media_id)
    take_over_highlights(session, book)
    session.commit()
    (kept,) = session.scalars(
        select(UnplacedHighlight).where(UnplacedHighlight.import_id == import_id)
    )
    assert kept.media_id == book.id
    seen = get_media(session, person, media_id=line.media_id)  # type: ignore[arg-type]
    assert (seen.id, seen.duplicate, seen.tags) == (book.id, True, ["read"])


def test_a_stopped_import_goes_on_where_it_was(session: Session) -> None:
    person = make_user(session)
    lines = [ImportedItem(number, address()) for number in range(1, 451)]
    import_id = previewed(session, person, lines)
    start(session, person, import_id)
    from nexus.db.task_session import task_session
    from nexus.services.imports import run, states

    with task_session() as working:
        assert run._batch(working, import_id)
    states.stop(session, person, import_id=import_id)
    session.commit()
    assert not run.run_slice(task_session, import_id), "nothing happens while it is stopped"
    found = session.get_one(Import, import_id, populate_existing=True)
    assert (found.state, found.items_done) == (ImportState.STOPPED, SIZE)
    start(session, person, import_id)
    run_to_the_end(import_id)
    found = session.get_one(Import, import_id, populate_existing=True)
    assert (found.state, found.items_done) == (ImportState.DONE, 450)
    listed = list_media(session, person, cursor=None, limit=100)
    assert len(listed["media"]) == 100
    assert {record.outcome for record in records_of(session, import_id)} == {ImportOutcome.ADDED}

"""Shelves follow what people can read, whatever changes it."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Connection, delete, insert, select, text, update
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, MembershipRole, ProcessingStatus, ReadingState
from nexus.db.migrate import upgrade
from nexus.db.models import Library, LibraryMedia, Media, Membership, ShelfItem, User
from nexus.db.session import create_database_engine, get_session_factory
from nexus.services.viewer import Viewer
from tests.factories import make_library, make_media, make_user
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS

MEMBER = MembershipRole.MEMBER
START = datetime(2026, 1, 1, tzinfo=UTC)
WRONG = text(
    """
    SELECT user_id, media_id, entry.saved_at, shelf.saved_at
    FROM (
        SELECT user_id, media_id, min(library_media.created_at) AS saved_at
        FROM library_media JOIN memberships USING (library_id) GROUP BY user_id, media_id
    ) AS entry
    FULL JOIN (SELECT * FROM shelf_items WHERE visible) AS shelf USING (user_id, media_id)
    LEFT JOIN media ON media.id = media_id
    WHERE (entry.saved_at, shelf.kind, shelf.length, shelf.title_key)
        IS DISTINCT FROM (shelf.saved_at, media.kind, media.word_count, title_key(media))
    """
)


def shelf(session: Session, viewer: Viewer, media_id: UUID) -> ShelfItem:
    return session.get_one(ShelfItem, (viewer.user_id, media_id), populate_existing=True)


def make_own(session: Session, viewer: Viewer, media_id: UUID) -> None:
    """Something of the person's that must survive."""
    own = update(ShelfItem).where(
        ShelfItem.user_id == viewer.user_id, ShelfItem.media_id == media_id
    )
    session.execute(own.values(favourite=True, state=ReadingState.READING))
    session.commit()


def enter(library_id: UUID, media_id: UUID, when: datetime) -> LibraryMedia:
    return LibraryMedia(library_id=library_id, media_id=media_id, created_at=when)


def test_the_earliest_entry_counts(session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer, library_ids=[])
    libraries = [make_library(session, viewer).id for _ in range(3)]
    for day, library_id in zip((2, 1, 3), libraries, strict=True):
        session.add(enter(library_id, media.id, START + timedelta(days=day)))
        session.commit()
    found = shelf(session, viewer, media.id)
    assert found.saved_at == START + timedelta(days=1)
    for library_id, day in ((libraries[1], 2), (libraries[0], 3)):
        session.execute(delete(LibraryMedia).where(LibraryMedia.library_id == library_id))
        session.commit()
        found = shelf(session, viewer, media.id)
        assert found.visible
        assert found.saved_at == START + timedelta(days=day)
    entries = update(LibraryMedia).where(LibraryMedia.media_id == media.id)
    session.execute(entries.values(created_at=START))
    session.commit()
    found = shelf(session, viewer, media.id)
    assert found.saved_at == START


def lose_entry(session: Session, library: Library, reader: Viewer) -> None:
    session.execute(delete(LibraryMedia).where(LibraryMedia.library_id == library.id))


def lose_membership(session: Session, library: Library, reader: Viewer) -> None:
    session.execute(
        delete(Membership).where(
            Membership.library_id == library.id, Membership.user_id == reader.user_id
        )
    )


def lose_library(session: Session, library: Library, reader: Viewer) -> None:
    session.execute(delete(Library).where(Library.id == library.id))


def lose_libraries(session: Session, library: Library, reader: Viewer) -> None:
    """Two at once, both with the item."""
    other = make_library(
        session,
        Viewer(library.owner_user_id, None, library.id),
        members={reader.user_id: MEMBER},
    )
    held = select(LibraryMedia.media_id).where(LibraryMedia.library_id == library.id)
    session.add(enter(other.id, session.scalars(held).one(), START))
    session.flush()
    session.execute(delete(Library).where(Library.id.in_([library.id, other.id])))


def lose_owner(session: Session, library: Library, reader: Viewer) -> None:
    session.execute(delete(User).where(User.id == library.owner_user_id))


LOSSES: list[Callable[[Session, Library, Viewer], None]] = [
    lose_entry,
    lose_membership,
    lose_library,
    lose_libraries,
    lose_owner,
]


@pytest.mark.parametrize("lose", LOSSES)
def test_state_stays_while_access_is_lost(
    lose: Callable[[Session, Library, Viewer], None], session: Session
) -> None:
    owner, reader = make_user(session), make_user(session)
    library = make_library(session, owner, members={reader.user_id: MEMBER})
    media = make_media(session, owner, library_ids=[library.id])
    make_own(session, reader, media.id)
    lose(session, library, reader)
    session.commit()
    found = shelf(session, reader, media.id)
    assert not found.visible
    session.execute(update(Media).where(Media.id == media.id).values(word_count=7))
    session.add(enter(reader.default_library_id, media.id, START))
    session.commit()
    found = shelf(session, reader, media.id)
    assert found.visible
    assert found.favourite
    assert (found.state, found.saved_at, found.length) == (ReadingState.READING, START, 7)


def test_a_new_member_gets_what_the_library_holds(session: Session) -> None:
    owner, reader = make_user(session), make_user(session)
    library = make_library(session, owner)
    items = {make_media(session, owner, library_ids=[library.id]).id for _ in range(3)}
    session.add(Membership(library_id=library.id, user_id=reader.user_id, role=MEMBER))
    session.commit()
    own = select(ShelfItem.media_id).where(ShelfItem.user_id == reader.user_id, ShelfItem.visible)
    assert set(session.scalars(own)) == items


@pytest.mark.parametrize("gone", [Media, User])
def test_rows_go_with_their_item_and_their_person(
    gone: type[Media | User], session: Session
) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    session.execute(delete(gone).where(gone.id.in_([media.id, viewer.user_id])))
    session.commit()
    assert session.get(ShelfItem, (viewer.user_id, media.id)) is None


TITLES = [
    ("“Élan” vital", "elan” vital"),
    ("Straße", "strasse"),
    ("ΌΡΟΣ", "οροσ"),
    ("…", "..."),
    ("x" * 300, "x" * 100),
    ("日本語", "日本語"),
    ("https://example.org/secret", None),
    ("HTTP://example.org/secret", None),
]


@pytest.mark.parametrize(("title", "key"), TITLES, ids=lambda value: str(value)[:12])
def test_title_keys(title: str, key: str | None, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer)
    found = shelf(session, viewer, media.id)
    assert found.title_key is None, "named by its address until it is read"
    session.execute(
        update(Media)
        .where(Media.id == media.id)
        .values(title=title, processing_status=ProcessingStatus.READY_FOR_READING, word_count=12)
    )
    session.commit()
    found = shelf(session, viewer, media.id)
    assert (found.title_key, found.length) == (key, 12)


def test_a_file_has_its_title_at_once(session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer, kind=MediaKind.PDF, title="Report")
    found = shelf(session, viewer, media.id)
    assert (found.kind, found.title_key) == (MediaKind.PDF, "report")


def test_any_sequence_of_changes(session: Session) -> None:
    chance = random.Random(19)
    people = [make_user(session) for _ in range(4)]
    libraries = [make_library(session, person).id for person in people for _ in range(2)]
    items = [make_media(session, people[0], library_ids=[]).id for _ in range(5)]
    for step in range(150):
        some = chance.sample(libraries, 3)
        person = chance.choice(people).user_id
        entries = [
            {"library_id": one, "media_id": item, "created_at": START + timedelta(hours=step)}
            for one in some
            for item in chance.sample(items, 2)
        ]
        held = LibraryMedia.library_id.in_(some), LibraryMedia.media_id.in_(items[:2])
        joined = Membership.library_id.in_(some), Membership.user_id == person
        statement: Any = chance.choice(
            [
                "INSERT INTO library_media (library_id, media_id, created_at)"
                " VALUES (:library_id, :media_id, :created_at) ON CONFLICT DO NOTHING",
                delete(LibraryMedia).where(*held),
                update(LibraryMedia)
                .where(*held)
                .values(created_at=START - timedelta(hours=chance.randrange(99))),
                delete(Membership).where(*joined),
                "INSERT INTO memberships (library_id, user_id, role)"
                " VALUES (:library_id, :user_id, 'member') ON CONFLICT DO NOTHING",
                update(Media).where(Media.id.in_(some_of(chance, items))).values(word_count=step),
            ]
        )
        if isinstance(statement, str):
            session.execute(text(statement), [{"user_id": person, **entry} for entry in entries])
        else:
            session.execute(statement)
        assert session.execute(WRONG).all() == []
    session.commit()


def some_of(chance: random.Random, items: list[UUID]) -> list[UUID]:
    return chance.sample(items, 2)


def joins(session: Session, library: Library, reader: Viewer, media: Media) -> None:
    session.add(Membership(library_id=library.id, user_id=reader.user_id, role=MEMBER))
    session.flush()


def leaves(session: Session, library: Library, reader: Viewer, media: Media) -> None:
    lose_membership(session, library, reader)


def added_here(session: Session, library: Library, reader: Viewer, media: Media) -> None:
    session.add(enter(library.id, media.id, START))
    session.flush()


def added_elsewhere(session: Session, library: Library, reader: Viewer, media: Media) -> None:
    session.add(enter(reader.default_library_id, media.id, START))
    session.flush()


def taken_out(session: Session, library: Library, reader: Viewer, media: Media) -> None:
    lose_entry(session, library, reader)


Change = Callable[[Session, Library, Viewer, Media], None]
RACES: dict[str, tuple[bool, bool, Change, Change]] = {
    "a new member and a new item": (False, False, joins, added_here),
    "a member who leaves and a new item": (True, False, leaves, added_here),
    "taken out here and added elsewhere": (True, True, taken_out, added_elsewhere),
}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("race", RACES)
def test_two_changes_at_once(race: str, swapped: bool, session: Session) -> None:
    is_member, is_held, first, second = RACES[race]
    if swapped:
        first, second = second, first
    owner, reader = make_user(session), make_user(session)
    members = {reader.user_id: MEMBER} if is_member else {}
    library = make_library(session, owner, members=members)
    media = make_media(session, owner, library_ids=[library.id] if is_held else [])
    factory = get_session_factory()
    with ThreadPoolExecutor(1) as pool, factory() as one, factory() as other:
        first(one, library, reader, media)
        pid = other.scalar(text("SELECT pg_backend_pid()"))
        later = pool.submit(second, other, library, reader, media)
        wait_for(lambda: later.done() or waits(session, pid))
        one.commit()
        later.result(PATIENCE_SECONDS)
        other.commit()
    assert session.execute(WRONG).all() == []


def waits(session: Session, pid: int | None) -> bool:
    session.rollback()
    query = text("SELECT cardinality(pg_blocking_pids(:pid)) > 0")
    return bool(session.scalar(query, {"pid": pid}))


def test_many_rows_in_one_statement(session: Session) -> None:
    viewer = make_user(session)
    values = {"kind": MediaKind.WEB_ARTICLE, "title": "x"}
    made = session.scalars(insert(Media).returning(Media.id), [values] * 3000).all()
    session.execute(
        text(
            "INSERT INTO library_media (library_id, media_id)"
            " SELECT :library_id, unnest(CAST(:items AS uuid[]))"
        ),
        {"library_id": viewer.default_library_id, "items": list(made)},
    )
    session.commit()
    assert session.execute(WRONG).all() == []


def test_what_was_there_before_gets_its_rows(empty_database: str) -> None:
    upgrade(empty_database, "20261127_books")
    engine = create_database_engine(empty_database, pool_size=1)
    with engine.begin() as connection:
        _old_rows(connection)
    upgrade(empty_database)
    columns = "title, visible, state, progress, opened_at IS NOT NULL AS opened, title_key, length"
    with engine.connect() as connection:
        rows = connection.execute(
            text(
                f"SELECT {columns} FROM shelf_items JOIN media ON media.id = media_id"
                " ORDER BY title"
            )
        ).all()
    engine.dispose()
    assert [tuple(row) for row in rows] == [
        ("Begun", True, "reading", 0.75, True, "begun", 9),
        ("Marked", True, "unread", 0.0, True, "marked", None),
        ("New", True, "unread", 0.0, False, "new", None),
    ]


def _old_rows(connection: Connection) -> None:
    """Three items: one half read, in its second part; one highlighted; one untouched."""
    person = "'00000000-0000-4000-8000-000000000001'"
    for statement in (
        f"INSERT INTO users (id) VALUES ({person})",
        f"INSERT INTO libraries (name, owner_user_id) SELECT name, {person} FROM"
        " unnest(ARRAY['One', 'Two']) AS name",
        f"INSERT INTO memberships (library_id, user_id, role) SELECT id, {person}, 'admin'"
        " FROM libraries",
        "INSERT INTO media (kind, title, processing_status, word_count) VALUES"
        " ('web_article', 'Begun', 'ready_for_reading', 9),"
        " ('web_article', 'Marked', 'ready_for_reading', NULL),"
        " ('web_article', 'New', 'ready_for_reading', NULL)",
        "INSERT INTO library_media (library_id, media_id)"
        " SELECT libraries.id, media.id FROM libraries, media",
        "INSERT INTO fragments (media_id, idx, html_sanitized, canonical_text)"
        " SELECT id, idx, 'x', repeat('x', 10) FROM media, generate_series(0, 1) AS idx",
        f"INSERT INTO reading_positions (user_id, fragment_id, text_offset, changed_at)"
        f" SELECT {person}, fragments.id, 5, now() - interval '1 day' * (1 - idx)"
        " FROM fragments JOIN media ON media.id = media_id WHERE title = 'Begun'",
        f"INSERT INTO highlights (user_id, fragment_id, start_offset, end_offset, color, exact,"
        f" prefix, suffix) SELECT {person}, fragments.id, 0, 1, 'blue', 'x', '', ''"
        " FROM fragments JOIN media ON media.id = media_id WHERE title = 'Marked'",
    ):
        connection.execute(text(statement))

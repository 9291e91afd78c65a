"""Sessions for routes that write."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, QueuePool, bindparam, func, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, sessionmaker

from nexus.db.direct import Direct
from nexus.db.lean_sessions import RequestSession
from nexus.db.models import Media, User
from nexus.db.session import create_database_engine, database_url
from tests.factories import make_media, make_user

_TITLE = Direct(select(Media.title).where(Media.id == bindparam("id", type_=Media.id.type)))


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = create_database_engine(database_url(), pool_size=1)
    yield engine
    engine.dispose()


@pytest.fixture
def request_session(engine: Engine) -> Iterator[RequestSession]:
    with sessionmaker(bind=engine, class_=RequestSession, expire_on_commit=False)() as session:
        yield session


def title_of(session: Session, media: Media) -> str:
    [(title,)] = _TITLE.rows(session, {"id": media.id})
    return str(title)


def rename(session: Session, media: Media, title: str) -> None:
    session.execute(update(Media).where(Media.id == media.id).values(title=title))


def open_connections(engine: Engine) -> int:
    assert isinstance(engine.pool, QueuePool)
    return engine.pool.checkedout()


@pytest.fixture
def media(session: Session) -> Media:
    media = make_media(session, make_user(session), title="Before")
    session.commit()
    return media


def test_it_commits_what_was_written_in_any_way(
    request_session: RequestSession, session: Session, engine: Engine, media: Media
) -> None:
    request_session.get_one(Media, media.id).title = "After"
    assert title_of(request_session, media) == "Before", "not flushed yet"
    sites = update(Media).where(Media.id == media.id).values(site_name="A site")
    request_session.connection().execute(sites)
    assert open_connections(engine) == 1, "all of it on one connection"
    request_session.commit()
    assert open_connections(engine) == 0
    session.refresh(media)
    assert (media.title, media.site_name) == ("After", "A site")


@pytest.mark.parametrize("end", ["rollback", "close"])
def test_what_is_not_committed_is_undone(
    request_session: RequestSession, session: Session, engine: Engine, media: Media, end: str
) -> None:
    request_session.get_one(Media, media.id).title = "After"
    request_session.flush()
    getattr(request_session, end)()
    assert open_connections(engine) == 0, "none is held while it waits for something else"
    assert title_of(session, media) == "Before"


def test_it_goes_on_in_a_transaction_of_its_own(
    request_session: RequestSession, session: Session, media: Media
) -> None:
    rename(request_session, media, "Undone")
    request_session.rollback()
    rename(request_session, media, "Kept")
    request_session.commit()
    assert title_of(session, media) == "Kept"


def test_a_savepoint_is_undone_alone(
    request_session: RequestSession, session: Session, media: Media
) -> None:
    rename(request_session, media, "After")
    savepoint = request_session.begin_nested()
    rename(request_session, media, "Never")
    savepoint.rollback()
    request_session.commit()
    assert title_of(session, media) == "After"


def test_a_failed_flush_leaves_nothing(
    request_session: RequestSession, session: Session, engine: Engine, media: Media
) -> None:
    rename(request_session, media, "After")
    request_session.add(User(id=media.created_by_user_id))
    with pytest.raises(IntegrityError):
        request_session.commit()
    request_session.close()
    assert open_connections(engine) == 0
    assert title_of(session, media) == "Before"


def test_a_snapshot_ends_with_the_transaction(request_session: RequestSession) -> None:
    level = text("SELECT current_setting('transaction_isolation')")
    request_session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    assert request_session.scalar(level) == "repeatable read"
    request_session.commit()
    assert request_session.scalar(level) == "read committed"


def test_a_block_cannot_end_it_by_itself(request_session: RequestSession) -> None:
    with pytest.raises(RuntimeError):
        request_session.begin()


def test_it_is_one_transaction(request_session: RequestSession) -> None:
    current = func.pg_current_xact_id()
    first, second = (request_session.scalar(select(current)) for _ in range(2))
    assert first == second
    request_session.commit()
    assert request_session.scalar(select(current)) != first

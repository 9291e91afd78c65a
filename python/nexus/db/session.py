"""Engine and session factory, one per process."""

from functools import lru_cache

from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session, sessionmaker

from nexus.config import SettingsError, get_settings
from nexus.db.lean_sessions import ReadingSession, RequestSession
from nexus.db.plans import plan_marked_statements_each_time
from nexus.db.rested import check_rested_connections

# A statement that runs longer than this is a bug.
_STATEMENT_TIMEOUT_MS = 30_000
_LOCK_TIMEOUT_MS = 10_000
_IDLE_IN_TRANSACTION_MS = 60_000


def create_database_engine(
    url: str, *, pool_size: int = 20, application_name: str = "nexus"
) -> Engine:
    """An engine whose connections survive a Postgres restart and whose statements are bounded."""
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=10,
        # The one that was used last: it has its statements prepared, and the others can be closed.
        pool_use_lifo=True,
        # Routes that only read have no transaction that could be left open.
        skip_autocommit_rollback=True,
        # What people write has no business in logs, error messages included.
        hide_parameters=True,
        connect_args={
            "connect_timeout": 5,
            "application_name": application_name,
            "options": (
                f"-c statement_timeout={_STATEMENT_TIMEOUT_MS} -c lock_timeout={_LOCK_TIMEOUT_MS}"
                f" -c idle_in_transaction_session_timeout={_IDLE_IN_TRANSACTION_MS}"
            ),
        },
    )
    plan_marked_statements_each_time(engine)
    check_rested_connections(engine)
    return engine


def database_url() -> str:
    """The configured database; one clear line if there is none."""
    url = get_settings().database_url
    if url is None:
        raise SettingsError("NEXUS_DATABASE_URL is not set: start Nexus with `make up`, or set it.")
    return url


@lru_cache(maxsize=1)
def get_engine() -> Engine:
    return create_database_engine(database_url())


@lru_cache(maxsize=1)
def get_session_factory() -> sessionmaker[Session]:
    return sessionmaker(bind=get_engine(), expire_on_commit=False)


@lru_cache(maxsize=1)
def get_request_session_factory() -> sessionmaker[RequestSession]:
    return sessionmaker(bind=get_engine(), class_=RequestSession, expire_on_commit=False)


def reading_session_factory(engine: Engine) -> sessionmaker[ReadingSession]:
    """Sessions on the same connections, without a transaction around their statements."""
    alone = engine.execution_options(isolation_level="AUTOCOMMIT")
    return sessionmaker(bind=alone, class_=ReadingSession, expire_on_commit=False)


@lru_cache(maxsize=1)
def get_reading_session_factory() -> sessionmaker[ReadingSession]:
    return reading_session_factory(get_engine())

"""Readiness: database, queue and file store respond, and the schema is up to date."""

from redis import RedisError
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from nexus.broker import redis_client
from nexus.config import Settings
from nexus.db.schema_version import is_current
from nexus.errors import UnavailableError
from nexus.logging import get_logger
from nexus.storage import get_storage_client
from nexus.storage.errors import StorageError, StorageFull

logger = get_logger(__name__)


def require_ready(session_factory: sessionmaker[Session], *, settings: Settings) -> None:
    """Raise UnavailableError naming every part that is not ready."""
    problems = (_database(session_factory), _broker(settings), _storage(settings))
    found = [problem for problem in problems if problem]
    if found:
        raise UnavailableError(" ".join(found))


def _database(session_factory: sessionmaker[Session]) -> str | None:
    try:
        with session_factory() as session:
            current = is_current(session.connection())
    except SQLAlchemyError:
        return "The database cannot be reached."
    return None if current else "The database schema is not up to date: run the migrations."


def _broker(settings: Settings) -> str | None:
    if settings.redis_url is None:
        return "No queue is configured: set NEXUS_REDIS_URL."
    try:
        redis_client(settings.redis_url).ping()
    except RedisError as error:
        logger.warning("broker_not_ready", error=str(error))
        return "The queue (Redis) cannot be reached."
    return None


def _storage(settings: Settings) -> str | None:
    try:
        get_storage_client(settings).check()
    except StorageFull as error:
        logger.warning("storage_not_ready", error=str(error))
        return "The disk of the file store is full."
    except StorageError as error:
        logger.warning("storage_not_ready", error=str(error))
        return "The file store cannot be used."
    return None

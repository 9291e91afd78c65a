"""Readiness: the database answers and has the schema this code expects."""

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from nexus.db.migrate import is_current
from nexus.errors import UnavailableError


def require_ready(session_factory: sessionmaker[Session]) -> None:
    """Raise UnavailableError naming the part that is not ready."""
    try:
        with session_factory() as session:
            current = is_current(session.connection())
    except SQLAlchemyError as error:
        raise UnavailableError("The database cannot be reached.") from error
    if not current:
        raise UnavailableError("The database schema is not up to date: run the migrations.")

"""Writing beside what somebody else deletes at the same moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.errors import ForeignKeyViolation
from sqlalchemy.exc import IntegrityError

from nexus.errors import ApiError


@contextmanager
def raising_if_deleted(error: ApiError) -> Iterator[None]:
    """A row that refers to one deleted since it was looked up raises the given error."""
    try:
        yield
    except IntegrityError as violation:
        if isinstance(violation.orig, ForeignKeyViolation):
            raise error from None
        raise

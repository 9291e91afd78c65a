"""Writing rows whose parent may be deleted at the same moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.errors import ForeignKeyViolation
from sqlalchemy.exc import IntegrityError

from nexus.errors import ApiError


@contextmanager
def raising_if_deleted(error: ApiError) -> Iterator[None]:
    """Raise the given error if the block refers to a row that was deleted since it was read."""
    try:
        yield
    except IntegrityError as violation:
        if isinstance(violation.orig, ForeignKeyViolation):
            raise error from None
        raise

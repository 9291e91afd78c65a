"""Whether a database has the schema of this code: one query, and no Alembic."""

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from nexus.config import PROJECT_ROOT

if TYPE_CHECKING:
    from sqlalchemy import Connection

VERSION_QUERY = "SELECT version_num FROM alembic_version"
SCRIPTS = PROJECT_ROOT / "migrations"

_ASSIGNMENT = re.compile(r"^(revision|down_revision)\b[^=]*=(.*)$", re.MULTILINE)
_NAME = re.compile(r"[\"']([^\"']+)[\"']")


def is_current(connection: "Connection") -> bool:
    """Whether the schema is the one this code was written for."""
    # Here, because `nexus up` needs nothing else of that library.
    from sqlalchemy.exc import ProgrammingError

    try:
        return is_newest(connection.exec_driver_sql(VERSION_QUERY).scalars())
    except ProgrammingError:
        # There is no such table: nothing was ever migrated.
        return False


def is_newest(revisions: Iterable[str]) -> bool:
    """Whether these revisions, which a database names, are those of this code."""
    return frozenset(revisions) == newest_revisions()


@cache
def newest_revisions() -> frozenset[str]:
    """The revisions that no other follows.

    Read once: they do not change while this code runs, and health is checked all the time.
    """
    revisions: set[str] = set()
    followed: set[str] = set()
    for script in (SCRIPTS / "versions").glob("*.py"):
        for name, value in _ASSIGNMENT.findall(script.read_text()):
            (revisions if name == "revision" else followed).update(_NAME.findall(value))
    return frozenset(revisions - followed)

"""Adding many rows with one statement whose text is the same for any number of them."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Any, cast
from uuid import UUID

from sqlalchemy import Row, Table, TextClause, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session

from nexus.db.base import Base

_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]


def insert_new(
    session: Session,
    model: type[Base],
    rows: Sequence[Mapping[str, Any]],
    *,
    returning: tuple[str, ...] = (),
) -> Sequence[Row[*tuple[Any, ...]]]:
    """Add those rows that are not there yet, in their order; returns these columns of the new."""
    if not rows:
        return []
    result = session.execute(
        _statement(model, tuple(rows[0]), returning), {"rows": json_rows(rows)}
    )
    return result.all() if returning else []


def json_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows for `json_to_recordset`: one value, written much faster than an array per column."""
    return json.dumps(rows, default=_plain, ensure_ascii=False)


@lru_cache(maxsize=32)
def _statement(
    model: type[Base], columns: tuple[str, ...], returning: tuple[str, ...]
) -> TextClause:
    table = cast(Table, model.__table__)
    types = (table.c[name].type.compile(_DIALECT) for name in columns)
    names = ", ".join(columns)
    typed = ", ".join(f"{name} {kind}" for name, kind in zip(columns, types, strict=True))
    return text(
        f"INSERT INTO {table.name} ({names}) SELECT {names}"  # noqa: S608
        f" FROM json_to_recordset(CAST(:rows AS json)) AS given ({typed})"
        " ON CONFLICT DO NOTHING" + (f" RETURNING {', '.join(returning)}" if returning else "")
    )


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, UUID | datetime):
        return str(value)
    raise TypeError(f"no plain form of a {type(value).__name__}")

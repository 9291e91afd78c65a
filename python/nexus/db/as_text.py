"""Columns as they are best read for a JSON response, for long lists."""

from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Enum, Text, Uuid, cast, type_coerce
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.types import NullType

Column = InstrumentedAttribute[Any] | ColumnElement[Any]


def as_text(column: Column) -> ColumnElement[Any]:
    """An id or an enum as text, under the same name; everything else as it is.

    Neither becomes an object of Python that would only be written out again. An array is what the
    driver makes of it, a list, and not copied into another one.
    """
    if isinstance(column.type, Uuid):
        return cast(column, Text).label(_name(column))
    if isinstance(column.type, Enum):
        return type_coerce(column, Text).label(_name(column))
    if isinstance(column.type, ARRAY):
        return type_coerce(column, NullType()).label(_name(column))
    return column  # type: ignore[return-value]


def _name(column: Column) -> str:
    return str(column.key)

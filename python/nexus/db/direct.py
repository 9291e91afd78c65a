"""Statements compiled once and handed to the driver, for the few that most requests consist of.

What SQLAlchemy does for each execution and its rows takes a fifth of the time of such a request.
Errors are raised as SQLAlchemy raises them, and `before_cursor_execute` is sent, by which the tests
see every statement; none of its other events are.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from psycopg import RawCursor
from sqlalchemy import Connection, Dialect, Select, TextClause
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from nexus.db.plans import is_planned_each_time

Rows = list[tuple[Any, ...]]

_CURSORS = "nexus_cursors"
_MOST_CURSORS = 16
_PLACE = re.compile(r"%\((\w+)\)s|%%")


class Direct:
    """A statement whose rows are plain tuples, with the values that the driver makes of them.

    So an enum is text, see also `as_text`.
    """

    def __init__(self, statement: Select[*tuple[Any, ...]] | TextClause) -> None:
        self._statement = statement
        columns = () if isinstance(statement, TextClause) else statement.selected_columns.keys()
        self._names = tuple(columns)
        # Without a `prepare` of its own the driver prepares what comes often.
        planned = is_planned_each_time(statement.get_execution_options())
        self._options = {"prepare": False} if planned else {}
        self._sql = ""
        self._numbered = b""
        self._names_in_order: tuple[str, ...] = ()
        self._fixed: dict[str, Any] = {}
        self._processors: dict[str, Callable[[Any], Any]] = {}

    def rows(self, session: Session, values: Mapping[str, Any]) -> Rows:
        """All rows for these values, in the session's transaction."""
        connection = session.connection()
        if not self._sql:
            self._compile(connection.dialect)
        parameters = {**self._fixed, **values}
        for name, process in self._processors.items():
            parameters[name] = process(parameters[name])
        return self._execute(connection, parameters)

    def first(self, session: Session, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """The first row by the names of its columns; None if there is none."""
        rows = self.rows(session, values)
        return dict(zip(self._names, rows[0], strict=True)) if rows else None

    def _execute(self, connection: Connection, parameters: dict[str, Any]) -> Rows:
        cursor = self._cursor(connection)
        try:
            for listener in connection.dispatch.before_cursor_execute:
                listener(connection, cursor, self._sql, parameters, None, False)
            in_order = [parameters[name] for name in self._names_in_order]
            # In binary form: there are dates in most rows, which take longest to read as text.
            cursor.execute(self._numbered, in_order, binary=True, **self._options)
            rows: Rows = cursor.fetchall()
        except connection.dialect.loaded_dbapi.Error as error:
            raise _translated(connection, self._sql, error) from error
        return rows

    def _cursor(self, connection: Connection) -> Any:
        """The one of this statement and connection: it knows how to read these columns.

        It keeps its last result, so there are only so many.
        """
        cursors = connection.info.setdefault(_CURSORS, {})
        cursor = cursors.get(self)
        if cursor is None:
            if len(cursors) >= _MOST_CURSORS:
                cursors.clear()
            driver_connection: Any = connection.connection.driver_connection
            cursor = cursors[self] = RawCursor(driver_connection)
        return cursor

    def _compile(self, dialect: Dialect) -> None:
        compiled: Any = self._statement.compile(dialect=dialect)
        assert not compiled.literal_execute_params | compiled.post_compile_params
        processors = {
            compiled.bind_names[bind]: process
            for bind in compiled.binds.values()
            if (process := bind.type.dialect_impl(dialect).bind_processor(dialect)) is not None
        }
        fixed = {
            compiled.bind_names[bind]: bind.value
            for bind in compiled.binds.values()
            if not bind.required
        }
        self._fixed = {
            name: processors.pop(name)(value) if name in processors else value
            for name, value in fixed.items()
        }
        self._processors = processors
        self._number(compiled.string)
        # Last: another thread may be about to use it.
        self._sql = compiled.string

    def _number(self, sql: str) -> None:
        """As Postgres takes it. With names, the driver would parse long statements each time."""
        names = dict.fromkeys(name for name in _PLACE.findall(sql) if name)
        numbers = {name: f"${number}" for number, name in enumerate(names, start=1)}
        self._numbered = _PLACE.sub(lambda place: numbers.get(place[1], "%"), sql).encode()
        self._names_in_order = tuple(names)


def _translated(connection: Connection, sql: str, error: Any) -> BaseException:
    """The error as SQLAlchemy raises it. A connection that was lost is not used again."""
    dialect = connection.dialect
    lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, None)
    if lost:
        connection.invalidate(error)
    translated: BaseException = DBAPIError.instance(
        sql,
        None,
        error,
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=lost,
        dialect=dialect,
    )
    return translated

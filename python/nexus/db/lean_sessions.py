"""Sessions of requests: one connection, and no more to do for it than a request needs.

How other sessions share connections and transactions takes longer than a simple statement takes
Postgres.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.orm import Session, SessionTransaction


class _LeanSession(Session):
    """Takes a connection when it first needs one."""

    _own: Connection | None = None

    def connection(
        self,
        bind_arguments: Any = None,  # noqa: ARG002
        execution_options: Mapping[str, Any] | None = None,
    ) -> Connection:
        if self._own is None:
            assert isinstance(self.bind, Engine)
            self._own = self.bind.connect()
        if execution_options:
            self._own.execution_options(**execution_options)
        return self._own

    def get_bind(self, *_args: Any, **_options: Any) -> Connection:
        """For statements that go through the session, which joins what it finds there."""
        return self.connection()

    def close(self) -> None:
        if self.in_transaction() or self.identity_map:
            super().close()
        self._give_back()

    def _give_back(self) -> None:
        if self._own is not None:
            self._own.close()
            self._own = None


class RequestSession(_LeanSession):
    """One transaction, from its first statement to `commit`, `rollback` or `close`."""

    def connection(self, *args: Any, **options: Any) -> Connection:
        connection = super().connection(*args, **options)
        if not connection.in_transaction():
            connection.begin()
        return connection

    def begin(self, nested: bool = False) -> SessionTransaction:
        if not nested:
            raise RuntimeError("it begins by itself, and ends only by name")
        return super().begin(nested=True)

    def commit(self) -> None:
        if self.in_transaction():
            # Writes what is left to write, and leaves the transaction itself alone.
            super().commit()
        if self._own is not None:
            self._own.commit()
        self._give_back()

    def rollback(self) -> None:
        super().rollback()
        self._give_back()


class ReadingSession(_LeanSession):
    """Refuses to write: its statements share no transaction, so a change could be half done."""

    def flush(self, objects: Sequence[Any] | None = None) -> None:  # noqa: ARG002
        if self.new or self.dirty or self.deleted:
            raise RuntimeError("a route that reads tried to write")

"""Finds connections that died in the pool, without a round trip for those that did not.

A connection used moments ago is trusted unless its socket has something to say: a server that
stopped has closed it. One that lay idle for longer is asked.
"""

import select
import time
from typing import Any

import psycopg
from psycopg.pq import ConnStatus
from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError

_TRUSTED_SECONDS = 5.0
_RETURNED_AT = "returned_at"


def check_connections(engine: Engine) -> None:
    """Hand out no connection of this engine's pool that is dead."""
    event.listen(engine, "checkin", _note_return)
    event.listen(engine, "checkout", _check)


def _note_return(_connection: Any, record: Any) -> None:
    record.info[_RETURNED_AT] = time.monotonic()


def _check(connection: psycopg.Connection, record: Any, _proxy: Any) -> None:
    returned_at = record.info.get(_RETURNED_AT)
    if returned_at is None:
        return  # new
    if time.monotonic() - returned_at < _TRUSTED_SECONDS and not _has_news(connection):
        return
    connection.pgconn.exec_(b"")
    if connection.pgconn.status != ConnStatus.OK:
        # The others in the pool are no better: the caller gets a new one.
        raise InvalidatePoolError


def _has_news(connection: psycopg.Connection) -> bool:
    poll = select.poll()
    poll.register(connection.pgconn.socket, select.POLLIN)
    return bool(poll.poll(0))

"""Pooled connections that may be dead are checked before they are used.

A check is a round trip. A connection that was used a moment ago, and on which Postgres has said
nothing since, is taken as it is: before it ends one, it says so.
"""

import select
import time
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

_RESTED_SECONDS = 1.0
_USED_AT = "nexus_used_at"


def check_rested_connections(engine: Engine) -> None:
    dialect = engine.dialect

    def note_use(_connection: Any, record: Any) -> None:
        record.info[_USED_AT] = time.monotonic()

    def check(connection: Any, record: Any, _proxy: Any) -> None:
        rested = time.monotonic() - record.info.get(_USED_AT, 0.0)
        if rested < _RESTED_SECONDS and not _has_news(connection):
            return
        try:
            alive = dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error:
            alive = False
        if not alive:
            # The pool drops it with all that are as old, and takes another.
            raise DisconnectionError

    event.listen(engine, "connect", note_use)
    event.listen(engine, "checkin", note_use)
    event.listen(engine, "checkout", check)


def _has_news(connection: Any) -> bool:
    """Whether something waits to be read; a connection at rest expects nothing."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))

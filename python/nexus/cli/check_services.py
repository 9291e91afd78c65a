"""Checks of what runs: database, Redis, and Nexus on its port. Stopped is not broken.

Client libraries are imported where they are used: `nexus up` shares this command line and should
not wait for them.
"""

from typing import TYPE_CHECKING

from nexus.cli.finding import Finding, broken, good, stopped
from nexus.config import Settings
from nexus.embedded.server import EmbeddedServer
from nexus.supervisor.layout import Layout, with_embedded
from nexus.supervisor.lock import holder
from nexus.supervisor.port import port_problem
from nexus.supervisor.programs import http_problem

if TYPE_CHECKING:
    from sqlalchemy import Connection

_STARTS = "stopped; start it with: make up"
# The sweeper wakes a worker long before.
_STUCK_SECONDS = 120


def database(settings: Settings) -> list[Finding]:
    """Whether the database responds and has the schema of this code."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import ArgumentError, SQLAlchemyError

    layout = Layout(settings.data_dir)
    if settings.database_url is None and not layout.postgres.is_ready():
        return _absent("Database", layout.postgres, layout)
    url = with_embedded(settings).database_url
    assert url is not None
    try:
        engine = create_engine(url, connect_args={"connect_timeout": 5})
    except (ArgumentError, ImportError) as error:
        return broken("Database", _first_line(error), "correct NEXUS_DATABASE_URL")
    try:
        with engine.connect() as connection:
            return _schema(connection)
    except SQLAlchemyError as error:
        fix = "start that server, or correct NEXUS_DATABASE_URL"
        return broken("Database", _first_line(error), fix)
    finally:
        engine.dispose()


def _schema(connection: "Connection") -> list[Finding]:
    from nexus.db.schema_version import is_current

    if not is_current(connection):
        return broken("Database", "its schema is out of date", "start Nexus, which updates it")
    found = good("Database", "running, schema up to date")
    return found + _search(connection) + _imports(connection)


def _search(connection: "Connection") -> list[Finding]:
    from sqlalchemy.orm import Session

    from nexus.services.search_backlog import count_backlog

    backlog = count_backlog(Session(connection))
    if backlog.failed:
        text = f"{backlog.failed} items could not be indexed, and are tried again once a day"
        return broken("Search", text, "look for backlog_item_failed in the log of the worker")
    if backlog.waiting:
        return good("Search", f"{backlog.waiting} items still have to be indexed")
    return []


def _imports(connection: "Connection") -> list[Finding]:
    from sqlalchemy.orm import Session

    from nexus.services.imports.states import longest_untouched_import

    seconds = longest_untouched_import(Session(connection))
    if seconds < _STUCK_SECONDS:
        return []
    text = f"nobody has worked on an import for {seconds / 60:.0f} minutes"
    return broken("Imports", text, "check that the worker and beat are running, and their logs")


def redis_server(settings: Settings) -> list[Finding]:
    """Whether Redis responds."""
    import redis

    layout = Layout(settings.data_dir)
    if settings.redis_url is None and not layout.redis.is_ready():
        return _absent("Redis", layout.redis, layout)
    url = with_embedded(settings).redis_url
    assert url is not None
    try:
        with redis.from_url(url, socket_timeout=5, socket_connect_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        fix = "start that server, or correct NEXUS_REDIS_URL"
        return broken("Redis", _first_line(error), fix)
    return good("Redis", "running")


def port(settings: Settings) -> list[Finding]:
    """Whether Nexus responds, or could be started."""
    if holder(Layout(settings.data_dir).lock) is None:
        problem = port_problem(settings.host, settings.port)
        if problem:
            return broken("Port", problem, "then start Nexus: make up")
        return stopped("Nexus", f"{_STARTS}; port {settings.port} is free")
    problem = http_problem(settings.host, settings.port)
    if problem:
        fix = f"see the logs in {Layout(settings.data_dir).logs}, or restart Nexus"
        return broken("Nexus", f"running, but {problem}", fix)
    return good("Nexus", f"running at {settings.origin}")


def _absent(part: str, server: EmbeddedServer, layout: Layout) -> list[Finding]:
    if holder(layout.lock) is None:
        return stopped(part, _STARTS)
    log = layout.log_of(server.name)
    return broken(part, f"Nexus is running, but {server.name} does not respond", f"see {log}")


def _first_line(error: Exception) -> str:
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0] if text else type(error).__name__

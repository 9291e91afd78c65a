"""`nexus up` with stand-ins for the applications: `run_standins.py PIDS_FOLDER NAME=BEHAVIOUR…`."""

import sys
from pathlib import Path

import psycopg

from nexus.cli.common import say
from nexus.config import Settings, load_settings
from nexus.supervisor.layout import Layout
from nexus.supervisor.program import Program
from nexus.supervisor.programs import http_problem
from nexus.supervisor.up import up

FOLDER, BEHAVIOURS = Path(sys.argv[1]), sys.argv[2:]


def standins(settings: Settings, layout: Layout) -> list[Program]:
    return [standin(settings, *item.split("=")) for item in BEHAVIOURS]


def standin(settings: Settings, name: str, behaviour: str) -> Program:
    port = settings.port if name == "bff" else 0
    script = Path(__file__).with_name("standin.py")
    started = FOLDER / f"{name}.pids"

    def ready() -> str | None:
        return http_problem("127.0.0.1", port) if port else (not started.exists() and "no") or None

    forked = {"forked": ("http.server",), "unloadable": ("no_such_module",)}
    place = ["-m", "tests.supervisor.standin"] if behaviour in forked else [str(script)]
    return Program(
        name,
        [sys.executable, *place, str(port), str(FOLDER), behaviour],
        preload=forked.get(behaviour, ()),
        ready=None if behaviour == "crashes" else ready,
        stop_seconds=3600 if behaviour == "stubborn" else 5,
    )


def migrate(url: str) -> None:
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS starts (at timestamptz)")
        connection.execute("INSERT INTO starts VALUES (now())")
        row = connection.execute("SELECT count(*) FROM starts").fetchone()
    say(f"starts so far: {row and row[0]}")


sys.exit(up(load_settings(), say=say, applications=standins, migrate=migrate))

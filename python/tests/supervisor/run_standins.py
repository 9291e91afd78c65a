"""`nexus up` with stand-ins for the applications: `run_standins.py PIDS_FOLDER NAME=BEHAVIOUR…`."""

import sys
from pathlib import Path

from nexus.cli.common import say
from nexus.config import Settings, load_settings
from nexus.supervisor.layout import Layout
from nexus.supervisor.program import Program
from nexus.supervisor.programs import http_problem
from nexus.supervisor.up import up

FOLDER, BEHAVIOURS = sys.argv[1], sys.argv[2:]


def standins(settings: Settings, layout: Layout) -> list[Program]:
    script = str(Path(__file__).with_name("standin.py"))
    programs = []
    for item in BEHAVIOURS:
        name, behaviour = item.split("=")
        port = settings.port if name == "bff" else 0
        programs.append(
            Program(
                name,
                [sys.executable, script, str(port), FOLDER, behaviour],
                ready=(lambda: http_problem("127.0.0.1", settings.port)) if port else None,
                stop_seconds=60 if behaviour == "stubborn" else 5,
            )
        )
    return programs


def migrate(url: str) -> None:
    from sqlalchemy import create_engine, text

    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE IF NOT EXISTS starts (at timestamptz)"))
        connection.execute(text("INSERT INTO starts VALUES (now())"))
        starts = connection.scalar(text("SELECT count(*) FROM starts"))
    say(f"starts so far: {starts}")
    engine.dispose()


sys.exit(up(load_settings(), say=say, applications=standins, migrate=migrate))

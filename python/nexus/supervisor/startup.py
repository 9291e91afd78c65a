"""Starting programs and waiting until they are ready."""

import time
from collections import Counter
from collections.abc import Sequence

from nexus.supervisor.console import Console
from nexus.supervisor.program import Program
from nexus.supervisor.reports import Reports
from nexus.supervisor.supervisord import Supervisord

_LIMIT_SECONDS = 90.0
_MOST_EXITS = 3
_SETTLED_SECONDS = 2
_POLL_SECONDS = 0.05


class StartError(Exception):
    """Nexus cannot start; the message is one line."""


def start(manager: Supervisord, programs: Sequence[Program], console: Console) -> None:
    """Start the programs side by side, without waiting for them."""
    if not programs:
        return
    console.say(f"Starting {', '.join(program.name for program in programs)}")
    for program in programs:
        manager.start_program(program.name)


def wait_ready(
    manager: Supervisord,
    programs: Sequence[Program],
    console: Console,
    reports: Reports,
    *,
    limit: float = _LIMIT_SECONDS,
) -> None:
    """Return once every one of these programs is ready.

    A program that is not ready in time, or that ends again and again, is a StartError.
    """
    exits: Counter[str] = Counter()
    waiting = list(programs)
    deadline = time.monotonic() + limit
    while waiting:
        alive = manager.seconds_alive()
        problems = {program.name: _problem(program, alive, reports) for program in waiting}
        for program in waiting:
            if problems[program.name] is None:
                console.say(f"  {program.name} is {'ready' if program.ready else 'running'}")
        waiting = [program for program in waiting if problems[program.name]]
        if waiting and time.monotonic() > deadline:
            name = waiting[0].name
            console.show_log(name)
            raise StartError(f"{name} is not ready after {limit:.0f} s: {problems[name]}")
        for event in manager.events(_POLL_SECONDS if waiting else 0, until=reports):
            console.report(event)
            exits[event.name] += event.kind == "exited"
            if exits[event.name] >= _MOST_EXITS:
                raise StartError(f"{event.name} ended {_MOST_EXITS} times while starting")


def _problem(program: Program, alive: dict[str, int], reports: Reports) -> str | None:
    if program.name not in alive:
        return "it keeps ending"
    if program.reports:
        return None if program.name in reports.ready() else "it has not reported that it is ready"
    if program.ready:
        return program.ready()
    return None if alive[program.name] >= _SETTLED_SECONDS else "it has only just started"

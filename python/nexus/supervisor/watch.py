"""`nexus up` once everything runs: says what ended by itself, and ends everything on a signal.

It takes the place of the process that started Nexus, which has nothing else to do from then on: the
same process id, children and lock, without what only the start had to import.
"""

import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from nexus.embedded.server import EmbeddedServer
from nexus.supervisor.console import Console, say
from nexus.supervisor.ending import Running
from nexus.supervisor.layout import Layout
from nexus.supervisor.process_title import set_process_title
from nexus.supervisor.program import Program
from nexus.supervisor.signals import STOPPING, Signals
from nexus.supervisor.supervisord import Attached, Supervisord


@dataclass(frozen=True)
class Handover:
    """What the starter leaves to the watcher; no secrets, since it is a command line."""

    data_dir: str
    servers: list[str]
    programs: list[tuple[str, int, bool]]
    """Name, seconds to stop, whether it keeps data."""
    manager: Attached
    shown: dict[str, int]
    """How much of each log was shown or is older than the start."""


def become_watcher(running: Running, programs: Sequence[Program], *, lock: int) -> NoReturn:
    """Replace this process. Signals that arrive meanwhile wait for the watcher."""
    attached = running.manager.attached()
    handover = Handover(
        data_dir=str(running.layout.data_dir),
        servers=[server.name for server in running.servers],
        programs=[(each.name, each.stop_seconds, each.keeps_data) for each in programs],
        manager=attached,
        shown=running.console.shown,
    )
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    for descriptor in (lock, attached.output):
        os.set_inheritable(descriptor, True)
    command = [sys.executable, "-m", __name__, json.dumps(asdict(handover))]
    os.execv(sys.executable, command)  # noqa: S606


def watch(manager: Supervisord, console: Console) -> NoReturn:
    """Report every part that ends by itself; returns only by an exception."""
    while True:
        for event in manager.events(60.0):
            console.report(event)
            if event.kind == "gave up":
                # A new round of attempts, which starts with short waits again.
                manager.start_program(event.name)


def main(handover: Handover) -> int:
    signals = Signals()
    signals.install()
    layout = Layout(Path(handover.data_dir))
    servers: list[EmbeddedServer] = [
        server for server in (layout.postgres, layout.redis) if server.name in handover.servers
    ]
    programs = [
        Program(name, [], stop_seconds=seconds, keeps_data=keeps_data)
        for name, seconds, keeps_data in handover.programs
    ]
    manager = Supervisord(layout, programs)
    console = Console(layout, say, shown=handover.shown)
    manager.attach(handover.manager)

    def work() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        watch(manager, console)

    return Running(layout, servers, manager, console, signals).until_ended(work)


if __name__ == "__main__":
    received = json.loads(sys.argv[1])
    set_process_title(["nexus", "up"])
    sys.exit(main(Handover(**{**received, "manager": Attached(**received["manager"])})))

"""How a run of Nexus ends: in order, whatever ended it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nexus.embedded.server import EmbeddedServer
from nexus.supervisor.console import Console
from nexus.supervisor.layout import Layout
from nexus.supervisor.leftovers import clear_leftovers
from nexus.supervisor.signals import Signals, StopRequested
from nexus.supervisor.supervisord import Supervisord, SupervisordGoneError


@dataclass(frozen=True)
class Running:
    """Everything that has to be ended."""

    layout: Layout
    servers: Sequence[EmbeddedServer]
    manager: Supervisord
    console: Console
    signals: Signals

    def until_ended(self, work: Callable[[], None]) -> int:
        """Do the work, which a signal interrupts; then end everything. The exit code."""
        try:
            work()
        except StopRequested:
            self.console.say("Stopping Nexus (Ctrl-C again to hurry)")
        except SupervisordGoneError:
            self.console.say("The process manager ended unexpectedly; stopping Nexus")
            self.console.show_log("supervisord-errors")
            return 1
        finally:
            self.signals.stopping = True
            self.manager.stop(hurried=self.signals.hurried)
            clear_leftovers(self.layout, self.servers)
            self.console.say("Nexus has stopped")
        return 0

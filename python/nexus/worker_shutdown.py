"""A stopping worker stops in time.

When Redis refuses its writes because the disk is full, Celery closes the pool and waits for its
children. A child with a long result waits for Celery to read it, so neither ever exits, and the
supervisor never sees a dead worker to restart.
"""

import os
import threading

from celery import Celery, bootsteps
from celery.worker import state

# A worker that was asked to stop may finish its current article; one that broke cannot.
_ASKED_SECONDS = 70.0
_BROKEN_SECONDS = 15.0


class ExitDeadline(bootsteps.StartStopStep):  # type: ignore[misc]
    """Stopped before the pool, and the last to wait for it."""

    requires = ("celery.worker.components:Pool",)

    def stop(self, parent: object) -> None:  # noqa: ARG002
        """Start the clock: when it runs out, the process exits."""
        asked = state.should_stop is not None and state.should_stop is not False
        timer = threading.Timer(_ASKED_SECONDS if asked else _BROKEN_SECONDS, os._exit, args=(1,))
        timer.daemon = True
        timer.start()


def limit_shutdown_time(app: Celery) -> None:
    app.steps["worker"].add(ExitDeadline)

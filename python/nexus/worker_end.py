"""A worker that ends, ends in time.

When Redis refuses it, because its disk is full, Celery closes the pool and waits for the children.
One that has a long answer in hand waits for Celery to read it, so neither ever ends, and whoever
starts workers again has nothing to start.
"""

import os
import threading

from celery import Celery, bootsteps
from celery.worker import state

# Told to end, a worker may finish the article it has in hand; one that broke cannot.
_TOLD_SECONDS = 70.0
_BROKEN_SECONDS = 15.0


class EndsInTime(bootsteps.StartStopStep):  # type: ignore[misc]
    """Stopped before the pool, and the last to wait for it."""

    requires = ("celery.worker.components:Pool",)

    def stop(self, parent: object) -> None:  # noqa: ARG002
        """From here on there is only so much time."""
        told = state.should_stop is not None and state.should_stop is not False
        timer = threading.Timer(_TOLD_SECONDS if told else _BROKEN_SECONDS, os._exit, args=(1,))
        timer.daemon = True
        timer.start()


def end_in_time(app: Celery) -> None:
    app.steps["worker"].add(EndsInTime)

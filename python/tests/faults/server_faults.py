"""Faults of the servers: Redis and Postgres."""

import contextlib
import os
import signal
import time

from nexus.queues import INGEST_QUEUE
from tests.faults.reader import Saved
from tests.faults.scene import Scene

_SOME = 5
REDIS_GONE_SECONDS = 60.0
_FINE = {"200", "201", "202", "409 E_HIGHLIGHT_CONFLICT"}


def redis_flushed(scene: Scene) -> list[Saved]:
    """The queue is emptied under the worker's hands."""
    saved = scene.save()
    scene.wait_ready(saved, _SOME)
    waiting = len(scene.stack.messages())
    scene.check(waiting > 0, "the queue was empty already")
    with scene.stack.queue() as queue:
        queue.flushall()
    scene.note(f"{waiting} messages dropped")
    return saved


def redis_killed(scene: Scene) -> list[Saved]:
    """Redis is killed while articles are saved and read."""
    with scene.reader.saving(scene.urls(), at_once=3) as saved:
        scene.wait_accepted(_SOME)
        scene.stack.wait_restarted("redis", scene.stack.kill("redis"))
    return saved


def redis_gone(scene: Scene) -> list[Saved]:
    """No Redis for a minute: saving goes on, and says that nothing was enqueued."""
    saved = scene.save(scene.articles // 2, part="before")
    scene.wait_ready(saved, 1)
    scene.stack.command("stopProcess", "redis")
    began = time.monotonic()
    before = scene.reader.answers.copy()
    try:
        meanwhile = scene.save(part="meanwhile")
        refused = (scene.reader.answers - before).keys() - _FINE
        scene.check(not refused, f"refused without Redis: {refused}")
        scene.check(not any(item.enqueued for item in meanwhile), "enqueued without a queue")
        slowest = max(item.seconds for item in meanwhile)
        scene.note(f"slowest 202 without Redis {slowest:.1f} s")
        scene.wait(lambda: time.monotonic() - began >= REDIS_GONE_SECONDS, "a minute")
    finally:
        scene.stack.command("startProcess", "redis", False)
    return saved + meanwhile


def postgres_restarted(scene: Scene) -> list[Saved]:
    """Postgres is restarted, then killed, while everybody uses it."""
    before = scene.reader.answers.copy()
    with scene.reader.saving(scene.urls(), at_once=3) as saved:
        for number in (signal.SIGINT, signal.SIGKILL):
            scene.wait_accepted(_SOME)
            postgres = scene.stack.pid("postgres")
            os.kill(postgres, number)
            scene.stack.wait_restarted("postgres", postgres)
    given = scene.reader.answers - before
    unclear = given.keys() - _FINE - {"503 E_UNAVAILABLE"}
    scene.check(not unclear, f"unclear answers: {unclear}")
    scene.note(f"{given['503 E_UNAVAILABLE']} clear 503s")
    return saved


def delivered_twice(scene: Scene) -> list[Saved]:
    """Every message is there twice, and once more when its article is done."""
    worker = scene.stack.pid("worker")
    os.kill(worker, signal.SIGSTOP)
    try:
        saved = scene.save()
        messages = scene.stack.messages()
        _deliver(scene, messages)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGCONT)
    scene.wait_ready(saved, len(saved))
    _deliver(scene, messages)
    scene.wait(lambda: not scene.stack.messages(), "the queue is empty")
    scene.note(f"{2 * len(messages)} messages too many")
    scene.check(len(messages) >= len(saved) - 1, "the worker took messages while it was stopped")
    return saved


def _deliver(scene: Scene, messages: list[bytes]) -> None:
    with scene.stack.queue() as queue:
        queue.lpush(INGEST_QUEUE, *messages)

"""Faults of our own processes: API, worker, Node, browser."""

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence

import psutil

from nexus.services.ingest_turns import TURN_LOCK
from tests.faults.outcome import look
from tests.faults.reader import Saved
from tests.faults.scene import Scene
from tests.faults.second_worker import second_worker

_ROUNDS = 3
_KILLS = 3
_SOME = 3
_FROZEN_SECONDS = 60.0


def api_killed_before_enqueue(scene: Scene) -> list[Saved]:
    """Redis hangs, so the API stands between its commit and its enqueueing; there it is killed."""
    stack, saved, never_enqueued = scene.stack, list[Saved](), 0
    for part in range(_ROUNDS):
        urls = scene.urls(scene.articles // _ROUNDS + 1, part=f"round-{part}")
        os.kill(stack.pid("redis"), signal.SIGSTOP)
        with scene.reader.saving(urls) as accepted:
            committed = _committed(scene, urls)
            # Killed as well, so that nothing it was sent while it hung is ever read.
            stack.kill("api")
            stack.wait_restarted("redis", stack.kill("redis"))
            never_enqueued += len(set(committed) - stack.queued_ids())
        saved += accepted
    scene.note(f"{never_enqueued} committed, never enqueued")
    scene.check(never_enqueued > 0, "the API was never caught before its enqueueing")
    return saved


def _committed(scene: Scene, urls: Sequence[str]) -> list[str]:
    query = "SELECT id::text FROM media WHERE requested_url = ANY(%s)"
    found: list[str] = []

    def look_for_rows() -> bool:
        found[:] = [row[0] for row in scene.stack.rows(query, list(urls))]
        return len(found) >= 3

    scene.wait(look_for_rows, "rows are committed")
    return found


def api_killed_in_flight(scene: Scene) -> list[Saved]:
    """The API is killed again and again while it answers."""
    with scene.reader.saving(scene.urls(), at_once=5) as saved:
        for _ in range(_KILLS):
            scene.wait_accepted(_SOME)
            scene.stack.kill("api")
    return saved


def worker_killed_at_each_stage(scene: Scene) -> list[Saved]:
    """SIGKILL while it claims, while it fetches and while it stores: locks make it stand there."""
    stack, saved = scene.stack, scene.save(wait_ms=300)
    with stack.database() as connection:
        # Rows that are locked are skipped; for its turn a worker waits.
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [TURN_LOCK])
        scene.wait(lambda: stack.lock_waiters() > 0, "the worker claims")
        stack.kill_worker()
        connection.rollback()
    scene.wait(scene.reading, "the worker fetches")
    stack.kill_worker()
    with stack.database() as connection:
        connection.execute("LOCK TABLE fragments IN SHARE MODE")
        scene.wait(lambda: stack.lock_waiters() > 0, "the worker stores")
        stack.kill_worker()
        connection.rollback()
    return saved


def node_killed(scene: Scene) -> list[Saved]:
    """Every Node process is killed while it reads a page."""
    return _killed_while_reading(scene, scene.stack.nodes)


def browser_killed(scene: Scene) -> list[Saved]:
    """Every browser is killed while it reads a page."""
    return _killed_while_reading(scene, scene.stack.browsers)


def _killed_while_reading(scene: Scene, victims: Callable[[], list[psutil.Process]]) -> list[Saved]:
    saved = scene.save(wait_ms=500)
    killed = 0
    for _ in range(_ROUNDS):
        scene.wait(lambda: scene.reading() and bool(victims()), "a page is being read")
        for process in victims():
            with contextlib.suppress(psutil.Error):
                process.kill()
                killed += 1
        scene.wait(lambda: not scene.reading(), "the page is let go of")
    scene.note(f"{killed} killed")
    scene.afterwards.append(lambda: _check_all_ready(scene, saved))
    return saved


def _check_all_ready(scene: Scene, saved: Sequence[Saved]) -> None:
    """A fault of ours is no reason to fail, and nothing looked like a failure meanwhile."""
    failed = [f"{row.url}: {row.message}" for row in look(scene.stack, saved) if row.code]
    scene.check(not failed, f"{len(failed)} failed: {failed[:3]}")
    seen = "SELECT count(*) FROM faults.changes WHERE media_id = ANY(%s::uuid[]) AND became = %s"
    times = scene.stack.rows(seen, [item.media_id for item in saved], "failed")[0][0]
    scene.check(times == 0, f"{times} looked like a failure for a while")


def everything_frozen(scene: Scene, *, seconds: float = _FROZEN_SECONDS) -> list[Saved]:
    """The machine sleeps: worker, extractors and browsers stand still, then go on."""
    saved = scene.save(wait_ms=1_000)
    scene.wait(scene.reading, "a page is being read")
    worker = psutil.Process(scene.stack.pid("worker"))
    with _paused(worker.children(recursive=True), worker.pid):
        held = [row for row in look(scene.stack, saved) if row.status == "extracting"]
        time.sleep(seconds)
    scene.check(bool(held), "nothing was being read when it froze")
    scene.note(f"{len(held)} under way for {seconds:.0f} s")
    scene.afterwards.append(lambda: _check_all_ready(scene, saved))
    return saved


def worker_paused(scene: Scene) -> list[Saved]:
    """A worker stands still past its leases while another takes over; then it wakes up."""
    stack = scene.stack
    saved = scene.save(wait_ms=300)
    scene.wait(scene.reading, "a page is being read")
    with second_worker(stack) as log_of_second, _paused(stack.pool(), stack.pid("worker")):
        held = [row.id for row in look(stack, saved) if row.status == "extracting"]
        scene.wait(
            lambda: all(row.status == "ready_for_reading" for row in look(stack, saved)),
            f"the other worker reads everything\n{log_of_second}",
        )
        before = _everything_about(scene, held)
    log = stack.layout.log_of("worker")
    late = ("attempt_outdated", "late_failure_ignored", "lease_lost")
    scene.wait(
        lambda: any(word in log.read_text() for word in late), "the paused worker finds itself late"
    )
    scene.wait(lambda: not stack.messages(), "the queue is empty")
    scene.check(bool(held), "the paused worker held nothing")
    scene.check(_everything_about(scene, held) == before, "the late worker changed something")
    scene.note(f"{len(held)} taken over")
    return saved


@contextlib.contextmanager
def _paused(pool: Sequence[psutil.Process], main: int) -> Iterator[None]:
    processes = [psutil.Process(main), *pool]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            with contextlib.suppress(psutil.Error):
                process.resume()


def _everything_about(scene: Scene, ids: list[str]) -> list[tuple[object, ...]]:
    return scene.stack.rows(
        "SELECT media::text, fragments::text FROM media LEFT JOIN fragments "
        "ON fragments.media_id = media.id WHERE media.id = ANY(%s::uuid[]) ORDER BY media.id",
        ids,
    )


def anything_killed(scene: Scene) -> list[Saved]:
    """Any process, at any moment, one after the other."""
    stack, chance = scene.stack, random.Random(scene.articles)
    parts = ["api", "bff", "worker", "redis", "postgres"]
    victims = [*parts, "pool", "node", "browser"]
    chance.shuffle(victims)
    with scene.reader.saving(scene.urls(wait_ms=300), at_once=3) as saved:
        for victim in victims:
            scene.wait_accepted(_SOME)
            if victim in parts:
                stack.kill(victim)
                continue
            groups = {"pool": stack.pool, "node": stack.nodes, "browser": stack.browsers}
            for process in groups[victim]()[:1]:
                with contextlib.suppress(psutil.Error):
                    process.kill()
    scene.note(", ".join(victims))
    return saved

"""The disk of the data directory is full, with articles and uploads under way."""

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg

from nexus.embedded.postgres import client_program
from tests.faults.disk import SmallDisk
from tests.faults.killer import Outage
from tests.faults.reader import Saved
from tests.faults.scene import Scene
from tests.faults.soak import judge_visits
from tests.faults.visitor import DISK_FULL, EXPECTED_OF_OUTAGES, Visitor

MIB_OF_DISK = 300
_VISITORS = 2
_SOME = 3
# Anything that has to grow a file: rows that spill over, stored bytes, the cache of pictures.
_REFUSED = ("/annotation", "/storage/", "/media/image")
_FINE = {"200", "201", "202", "409 E_HIGHLIGHT_CONFLICT"}
FULL_SECONDS = 20.0


def disk_full(scene: Scene, disk: SmallDisk, *, seconds: float = FULL_SECONDS) -> list[Saved]:
    """Filled, kept full until even the log of the database has no room, then emptied again."""
    picture = f"{scene.site.origin}/picture/{scene.name}"
    visitors = [
        Visitor(
            scene.stack.origin, picture=picture, seed=seed, note_length=9000, upload_bytes=300_000
        )
        for seed in range(_VISITORS)
    ]
    for visitor in visitors:
        visitor.announce_upload()
    before = scene.reader.answers.copy()
    with _visiting(visitors), scene.reader.saving(scene.urls(wait_ms=200), at_once=3) as saved:
        scene.wait_accepted(_SOME)
        outage = _fill_and_make_room(scene, disk, visitors, seconds)
        asked = [visitor.answered for visitor in visitors]
        scene.wait(
            lambda: all(v.answered > n + 20 for v, n in zip(visitors, asked, strict=True)),
            "everything is used again",
        )
    unclear = (scene.reader.answers - before).keys() - _FINE - EXPECTED_OF_OUTAGES
    scene.check(not unclear, f"unclear answers: {unclear}")
    scene.afterwards.append(lambda: _look_again(scene, visitors, outage))
    return saved


def _fill_and_make_room(
    scene: Scene, disk: SmallDisk, visitors: Sequence[Visitor], seconds: float
) -> Outage:
    url = scene.stack.database_url()
    began = time.time()
    try:
        with database_witness(url) as witness:
            disk.fill()
            for path in _REFUSED:
                scene.wait(_refused(visitors, path), f"{path} is refused for want of room")
            scene.wait(lambda: database_stops(url, witness), "the database stops")
        scene.wait(lambda: _kept_full(disk, until=began + seconds), "it is full for a while")
    finally:
        disk.make_room()
    scene.stack.wait_all_answer()
    outage = Outage(began, time.time())
    scene.note(f"full and away for {outage.ended - outage.began:.0f} s")
    return outage


def _kept_full(disk: SmallDisk, *, until: float) -> bool:
    # What ends, or restarts, may have given something back.
    disk.fill()
    return time.time() >= until


def _refused(visitors: Sequence[Visitor], path: str) -> Callable[[], bool]:
    return lambda: any(
        path in each.asked and each.answer == DISK_FULL
        for visitor in visitors
        for each in visitor.unclear
    )


@contextlib.contextmanager
def database_witness(url: str) -> Iterator[psycopg.Connection[Any]]:
    """A session from before the disk is full, which Postgres cuts off only when it stops.

    Its log would be a bad witness: what it says of its end has no room there.
    """
    with _connect(url) as witness:
        # A new piece of the write-ahead log: writing must be refused before it is used up.
        _use_up_piece(witness)
        yield witness


def database_stops(url: str, witness: psycopg.Connection[Any]) -> bool:
    """Use up the write-ahead log piece by piece: whether the next had no room and Postgres went."""
    with contextlib.suppress(psycopg.OperationalError), _connect(url) as connection:
        _use_up_piece(connection)
    try:
        witness.execute("SELECT 1")
    except psycopg.OperationalError:
        return witness.broken
    return False


def _use_up_piece(connection: psycopg.Connection[Any]) -> None:
    connection.execute("SELECT pg_logical_emit_message(true, 'faults', 'x')")
    connection.execute("SELECT pg_switch_wal()")


def _connect(url: str) -> psycopg.Connection[Any]:
    return psycopg.connect(url, autocommit=True, connect_timeout=5)


@contextlib.contextmanager
def _visiting(visitors: Sequence[Visitor]) -> Iterator[None]:
    """They do something all the while."""
    finished = threading.Event()

    def visit(visitor: Visitor) -> None:
        while not finished.is_set():
            visitor.do_something()

    with ThreadPoolExecutor() as pool:
        visits = [pool.submit(visit, visitor) for visitor in visitors]
        try:
            yield
        finally:
            finished.set()
        for each in visits:
            each.result()


def _look_again(scene: Scene, visitors: Sequence[Visitor], outage: Outage) -> None:
    full = sum(each.answer == DISK_FULL for v in visitors for each in v.unclear)
    scene.note(f"{full} refused for want of room")
    judge_visits(scene, visitors, [outage])
    with scene.stack.queue() as queue:
        status = queue.info("persistence")["aof_last_write_status"]
    scene.check(status == "ok", f"Redis cannot write: {status}")
    dump = [client_program("pg_dump"), scene.stack.database_url(), "--file", "/dev/null"]
    dumped = subprocess.run(dump, capture_output=True, text=True, check=False)
    scene.check(dumped.returncode == 0, f"the database cannot be read whole: {dumped.stderr}")


def damage(data: Path) -> list[str]:
    """What is wrong with the files of a stopped Postgres, by their checksums."""
    check = [client_program("pg_checksums"), "--check", "--pgdata", str(data)]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    return [] if done.returncode == 0 else [f"damaged files: {done.stdout}{done.stderr}"]

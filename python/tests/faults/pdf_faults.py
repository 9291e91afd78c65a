"""Faults while a PDF is read: the process that reads it, and the worker that waits for it."""

import contextlib
import time
from uuid import uuid4

import psutil

from nexus.embedded.processes import is_alive
from tests.api.uploads import uploaded
from tests.faults.reader import Saved
from tests.faults.scene import Scene
from tests.live import wait_for
from tests.pdf_files import sentence, text_pages

_PROGRAM = "pdf.mjs"
_PAGES = 100
_STATE = """
SELECT processing_status, processing_attempts, interrupted_attempts,
       (SELECT count(*) FROM fragments WHERE media_id = media.id),
       (SELECT count(*) FROM faults.changes
         WHERE media_id = media.id AND became = 'ready_for_reading')
FROM media WHERE id = %s
"""


def pdf_reader_killed(scene: Scene) -> list[Saved]:
    """The process that reads a PDF is killed, twice."""
    media_id = _upload(scene)
    for _ in range(2):
        _kill(_caught(scene))
    _expect_read(scene, media_id, attempts=3)
    return []


def worker_killed_over_pdf(scene: Scene) -> list[Saved]:
    """The worker is killed while a PDF is read, and nobody tells that it is gone."""
    media_id = _upload(scene)
    _caught(scene)
    scene.stack.kill_worker()
    _expect_read(scene, media_id, attempts=2)
    return []


def worker_killed_over_pdf_in_short(scene: Scene, *, lease_seconds: int) -> None:
    """The same, without waiting for the lease to run out."""
    media_id = _upload(scene)
    _caught(scene)
    scene.stack.kill_worker()
    scene.stack.age_unfinished(lease_seconds)
    _expect_read(scene, media_id, attempts=2)


def _upload(scene: Scene) -> str:
    """Pages enough to be caught over them."""
    pages = [[f"Only here: {uuid4()}"], *([sentence(number)] * 30 for number in range(_PAGES))]
    media_id: str = uploaded(scene.reader.client, text_pages(pages))["id"]
    return media_id


def _caught(scene: Scene) -> psutil.Process:
    """A process that reads a PDF, stopped in the middle of it."""
    found: list[psutil.Process] = []

    def catch() -> bool:
        for process in scene.stack.nodes():
            with contextlib.suppress(psutil.Error, ValueError):
                program, *rest = process.cmdline()
                # Not what starts it, which has the same words in its command.
                if program.endswith("node") and any(part.endswith(_PROGRAM) for part in rest):
                    process.suspend()
                    found.append(process)
        return bool(found)

    wait_for(catch, what="a PDF is being read", every=0.01)
    return found[0]


def _kill(process: psutil.Process) -> None:
    """Return when it is gone: until then it could be taken for the next one that reads."""
    process.kill()
    wait_for(lambda: not is_alive(process), what="the process ends")


def _expect_read(scene: Scene, media_id: str, *, attempts: int) -> None:
    """It is read once, by us, and in time."""
    began = time.monotonic()
    expected = ("ready_for_reading", attempts, attempts - 1, 1, 1)
    scene.wait(
        lambda: scene.stack.rows(_STATE, media_id)[0][0] in {"ready_for_reading", "failed"},
        "the PDF is read",
    )
    scene.note(f"read {time.monotonic() - began:.1f} s after the last fault")
    state = scene.stack.rows(_STATE, media_id)[0]
    scene.check(state == expected, f"{state}, not {expected}")

"""The processes in which a worker runs its tasks.

One that has worked and come to rest is replaced by a new fork of the worker, which shares nearly
all its memory with it. Celery does that between tasks, with a process that is said to use too much.
"""

import gc
import time

from billiard import pool  # type: ignore[import-untyped]
from celery.signals import worker_before_create_process, worker_process_init

from nexus.celery import MOST_MEMORY_OF_A_PROCESS
from nexus.db.session import get_engine
from nexus.extractors.web_article import node_shared
from nexus.memory import at_rest

# Processor time: some dozen articles on a quick machine, after which a process that is not replaced
# keeps 20 MiB.
_WORKED_SECONDS = 0.5


class _Process:
    rested = False


@worker_before_create_process.connect  # type: ignore[untyped-decorator]
def _share_what_exists(**_kwargs: object) -> None:
    """A collection in the new process would write to everything it shares with the worker."""
    gc.collect()
    gc.freeze()


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _let_go_at_rest(**_kwargs: object) -> None:
    _Process.rested = False
    pool.mem_rss = said_memory
    at_rest(_rest)


def _rest() -> None:
    get_engine().dispose()
    _Process.rested = True


def said_memory() -> int:
    """What Celery asks after each task: more than it allows when this process is to be replaced."""
    worked = time.process_time() > _WORKED_SECONDS
    ends = worked and _Process.rested and not node_shared.is_running()
    return MOST_MEMORY_OF_A_PROCESS + ends

"""Interpreter settings for a process that serves requests for weeks."""

import gc
import resource

from nexus.db.session import get_engine
from nexus.memory import at_rest

# A response with a list creates thousands of objects and drops them again, none in a cycle: a
# collection after every 700 took a fifth of the time of such a response.
_NEW_OBJECTS_BETWEEN_COLLECTIONS = 10_000
# Every connection is an open file, and the default limit is often a thousand.
_OPEN_FILES = 8192


def tune_process() -> None:
    """Call when everything is imported: what exists now is kept out of garbage collection.

    Also raises the limit on open files, for many connections, and lets go of what requests left
    behind once there are none for a while.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    at_rest(get_engine().dispose)

"""Whether the storage accepts files as large as Nexus lets people upload."""

import threading

from nexus.config import Settings
from nexus.logging import get_logger
from nexus.services.file_kinds import all_file_types
from nexus.storage import get_storage_client
from nexus.storage.errors import StorageError, in_megabytes

logger = get_logger(__name__)


def limit_problem(limit: int | None) -> str | None:
    """What a storage with this limit refuses although we offer it, in one line."""
    if limit is None:
        return None
    above = [kind for kind in all_file_types() if kind.max_bytes > limit]
    if not above:
        return None
    ours = " and ".join(f"{in_megabytes(kind.max_bytes)} per {kind.name}" for kind in above)
    return f"it accepts {in_megabytes(limit)} per file, Nexus offers {ours}"


def largest_upload() -> str:
    """The limit the storage should have, as people read it."""
    return in_megabytes(all_file_types()[0].max_bytes)


def warn_of_storage_problems(settings: Settings) -> threading.Thread:
    """Log what is wrong with the storage, without delaying the start."""
    thread = threading.Thread(target=_warn, args=(settings,), daemon=True, name="storage-check")
    thread.start()
    return thread


def _warn(settings: Settings) -> None:
    try:
        storage = get_storage_client(settings)
        storage.check()
        problem = limit_problem(storage.max_object_bytes())
    except StorageError as error:
        logger.error("storage_not_ready", error=str(error))
        return
    if problem is not None:
        logger.warning("storage_limit_below_ours", problem=problem)

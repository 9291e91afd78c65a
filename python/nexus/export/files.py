"""Original files on their way into a zip."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from nexus.export.items import ExportedItem
from nexus.export.job import ExportJob
from nexus.storage.copying import copy_object

_CHUNK = 256 * 1024


@contextmanager
def whole_file(job: ExportJob, item: ExportedItem) -> Iterator[tuple[IO[bytes], str] | None]:
    """A copy of the item's file and its hash, or None if the store has lost or damaged it.

    Copied first: an archive has all of a file or no trace of it.
    """
    stored = item.file
    assert stored is not None
    with tempfile.TemporaryFile() as spool:
        lost = copy_object(job.storage, stored.storage_path, spool)
        sha256 = "" if lost else _sha256(spool)
        if lost or spool.tell() != stored.size_bytes or item.sha256 not in (None, sha256):
            job.missing_files.append(item.media.title)
            yield None
        else:
            spool.seek(0)
            yield spool, sha256


def missing_files_note(job: ExportJob) -> bytes:
    """Said inside the archive too, for the person who finds it later."""
    lines = ["The files of these items could not be read and are not in this archive:", ""]
    return "\n".join([*lines, *job.missing_files, ""]).encode()


def _sha256(spool: IO[bytes]) -> str:
    spool.seek(0)
    digest = hashlib.sha256()
    while chunk := spool.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()

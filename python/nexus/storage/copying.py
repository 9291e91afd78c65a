"""Copying stored files for a backup or an export: what is lost, and what only seems to be."""

from typing import IO

from nexus.storage.errors import ObjectNotFound, StorageError, StorageMisconfigured
from nexus.storage.protocol import StorageClient


def copy_object(storage: StorageClient, path: str, into: IO[bytes]) -> str | None:
    """Copy one object; why it cannot be read, or None when it was copied.

    An object is lost only while the storage as a whole works: with a wrong key, or while the
    storage is unreachable, no file can be read and none is missing. That is raised.
    """
    try:
        for chunk in storage.open_stream(path):
            into.write(chunk)
    except ObjectNotFound:
        return "it is not there"
    except StorageMisconfigured:
        raise
    except StorageError as error:
        storage.check()
        return str(error)
    into.seek(0)
    return None

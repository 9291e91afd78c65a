"""Files that are whole or not there: written beside their place, then given their name."""

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO

TEMPORARY_SUFFIX = ".tmp"


def new_file(path: Path) -> AbstractContextManager[BinaryIO]:
    """Write a file that appears under its name only when it is whole, readable by nobody else.

    A file of that name is never replaced, not even one that appears meanwhile.
    """
    _refuse_existing(path)
    return _written_aside(path, _name_once)


def replacement_file(path: Path, *, durable: bool = True) -> AbstractContextManager[BinaryIO]:
    """The same for a file that takes the place of one that is there.

    One that is not durable may be lost or empty after the machine lost its power.
    """
    return _written_aside(path, os.replace, durable=durable)


def remove_leftovers(path: Path) -> None:
    """Remove what killed processes left beside `path`; nobody may be writing it now."""
    for leftover in path.parent.glob(f".{path.name}.*{TEMPORARY_SUFFIX}"):
        leftover.unlink(missing_ok=True)


@contextmanager
def _written_aside(
    path: Path, name: Callable[[Path, Path], None], *, durable: bool = True
) -> Iterator[BinaryIO]:
    descriptor, temporary_name = tempfile.mkstemp(
        dir=path.parent, prefix=f".{path.name}.", suffix=TEMPORARY_SUFFIX
    )
    temporary = Path(temporary_name)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            if durable:
                os.fsync(descriptor)
        name(temporary, path)
        if durable:
            _sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _name_once(temporary: Path, path: Path) -> None:
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        _refuse_existing(path)
        raise
    except OSError:
        # No file system for links: between looking and renaming another could still slip in.
        _refuse_existing(path)
        temporary.rename(path)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        advice = "already there: choose another name, or delete it first"
        raise FileExistsError(errno.EEXIST, advice, str(path))

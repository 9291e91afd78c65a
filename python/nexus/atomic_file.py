"""A file that is either whole or not there."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file that appears under its name only when it is whole, readable by nobody else.

    A file of that name is never replaced, not even one that appears meanwhile.
    """
    _refuse_existing(path)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
    partial = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _name(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _name(partial: Path, path: Path) -> None:
    try:
        path.hardlink_to(partial)
    except FileExistsError:
        _refuse_existing(path)
        raise
    except OSError:
        # No file system for links: between looking and renaming another could still slip in.
        _refuse_existing(path)
        partial.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        advice = "already there: choose another name, or delete it first"
        raise FileExistsError(errno.EEXIST, advice, str(path))

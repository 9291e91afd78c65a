"""Files below one folder, reached segment by segment without ever following a symbolic link."""

import errno
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from nexus.storage.errors import InvalidPath, ObjectExists, ObjectNotFound, StorageUnavailable
from nexus.storage.paths import is_segment
from nexus.storage.protocol import CHUNK_BYTES

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_TEMPORARY = ".tmp"
# Between making a folder and filling it, a deletion may prune it: then the folder is made again.
_LINK_TRIES = 20

Segments = tuple[str, ...]


class PendingFile:
    """A file being written where nobody can see it, until it is published whole."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file = file
        self.name = name
        self.size = 0

    def write(self, chunk: bytes) -> None:
        """Append bytes."""
        self.file.write(chunk)
        self.size += len(chunk)


class FileTree:
    """A folder of files addressed by validated segments (`paths.split_path`)."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @contextmanager
    def pending(self) -> Iterator[PendingFile]:
        """A temporary file that is gone when the block ends, published or not."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"{secrets.token_hex(16)}.part"
        with self._directory((_TEMPORARY,), create=True) as folder:
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            file = os.fdopen(os.open(name, flags, 0o600, dir_fd=folder), "w+b")
            try:
                yield PendingFile(file, name)
            finally:
                with suppress(OSError):  # closing flushes, and a full disk fails once more
                    file.close()
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)

    def publish(self, pending: PendingFile, segments: Segments) -> None:
        """Give the pending file its place, durably. The same bytes twice are fine."""
        pending.file.flush()
        os.fsync(pending.file.fileno())
        for _ in range(_LINK_TRIES):
            try:
                return self._link(pending, segments)
            except FileExistsError:
                with self.open(segments) as existing:
                    if _same_bytes(pending.file, existing):
                        return None
                raise ObjectExists("other bytes are already stored there") from None
            except FileNotFoundError:
                continue
        raise StorageUnavailable("the folder for the file keeps disappearing")

    def open(self, segments: Segments) -> BinaryIO:
        """The regular file at the path, opened for reading; ObjectNotFound for anything else."""
        # O_NONBLOCK: opening a FIFO that someone planted must not wait for a writer.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            with self._directory(segments[:-1]) as folder:
                descriptor = os.open(segments[-1], flags, dir_fd=folder)
        except (FileNotFoundError, InvalidPath):
            raise ObjectNotFound("nothing is stored there") from None
        except OSError as error:
            if _is_symlink_refusal(error):
                raise ObjectNotFound("nothing is stored there") from None
            raise
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ObjectNotFound("nothing is stored there")
        return os.fdopen(descriptor, "rb")

    def remove(self, segments: Segments) -> None:
        """Remove the file and the folders it leaves empty; nothing happens if there is none."""
        missing = suppress(FileNotFoundError, IsADirectoryError, InvalidPath)
        with missing, self._directory(segments[:-1]) as folder:
            os.unlink(segments[-1], dir_fd=folder)
        with suppress(OSError, InvalidPath):  # not empty, or already pruned by someone else
            for depth in range(len(segments) - 1, 0, -1):
                with self._directory(segments[: depth - 1]) as folder:
                    os.rmdir(segments[depth - 1], dir_fd=folder)

    def walk(self, segments: Segments) -> Iterator[tuple[Segments, os.stat_result]]:
        """Every regular file below a folder. What vanishes meanwhile is left out."""
        with suppress(FileNotFoundError, InvalidPath):
            with self._directory(segments) as folder, os.scandir(folder) as entries:
                found = [(e, e.stat(follow_symlinks=False)) for e in entries if is_segment(e.name)]
            for entry, info in found:
                if stat.S_ISDIR(info.st_mode):
                    yield from self.walk((*segments, entry.name))
                elif stat.S_ISREG(info.st_mode):
                    yield (*segments, entry.name), info

    def remove_abandoned(self, older_than_seconds: float) -> int:
        """Remove temporary files that a killed process left behind, and return how many."""
        removed = 0
        with (
            suppress(FileNotFoundError),
            self._directory((_TEMPORARY,)) as folder,
            os.scandir(folder) as entries,
        ):
            for entry in entries:
                with suppress(FileNotFoundError):  # finished or cleaned by another process
                    modified = entry.stat(follow_symlinks=False).st_mtime
                    if modified < time.time() - older_than_seconds:
                        os.unlink(entry.name, dir_fd=folder)
                        removed += 1
        return removed

    def _link(self, pending: PendingFile, segments: Segments) -> None:
        # A hard link, not a rename: it fails if the name is taken, so nothing is ever replaced.
        with (
            self._directory((_TEMPORARY,)) as source,
            self._directory(segments[:-1], create=True) as target,
        ):
            os.link(
                pending.name,
                segments[-1],
                src_dir_fd=source,
                dst_dir_fd=target,
                follow_symlinks=False,
            )
            os.fsync(target)

    @contextmanager
    def _directory(self, segments: Segments, *, create: bool = False) -> Iterator[int]:
        descriptor = os.open(self.root, _DIRECTORY)
        try:
            for name in segments:
                parent, descriptor = descriptor, _enter(descriptor, name, create=create)
                os.close(parent)
            yield descriptor
        finally:
            os.close(descriptor)


def _enter(parent: int, name: str, *, create: bool) -> int:
    if create:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=parent)
            os.fsync(parent)
    try:
        return os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    except OSError as error:
        if isinstance(error, NotADirectoryError) or _is_symlink_refusal(error):
            raise InvalidPath(f"{name!r} is in the way and is not a folder") from None
        raise


def _is_symlink_refusal(error: OSError) -> bool:
    return error.errno in {errno.ELOOP, errno.EMLINK}


def _same_bytes(one: BinaryIO, other: BinaryIO) -> bool:
    one.seek(0)
    while True:
        left, right = one.read(CHUNK_BYTES), other.read(CHUNK_BYTES)
        if left != right:
            return False
        if not left:
            return True

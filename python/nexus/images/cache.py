"""Fetched images on disk: content-addressed, an LRU cache with a byte budget."""

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from nexus.atomic_file import TEMPORARY_SUFFIX, replacement_file
from nexus.images.inspect import ImageForm

# What the smallest file takes on disk. Every file counts in whole blocks, so that many small ones
# cannot take more than they seem to.
BLOCK = 4096
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class CachedImage:
    """One stored image. Its name is the SHA-256 of its bytes, which is its ETag too."""

    path: Path
    sha256: str
    form: ImageForm


@dataclass(frozen=True, slots=True, order=True)
class _File:
    used_at: float
    path: Path
    charge: int


class ImageCache:
    """`urls/` maps an address to a content hash; `blobs/` holds each content once.

    Both count against the budget and are trimmed together. Files are written aside and renamed, so
    that several processes can share one folder. What is lost to a crash is fetched again.
    """

    def __init__(self, root: Path, *, budget_bytes: int) -> None:
        self._root = root
        self._urls = root / "urls"
        self._blobs = root / "blobs"
        self._tally = root / "written"
        self._budget = budget_bytes

    def find(self, url: str) -> CachedImage | None:
        """The image of an address; notes that it was used."""
        path = self._entry(url)
        try:
            entry = json.loads(path.read_bytes())
            image = self._image(entry.pop("sha256"), ImageForm(**entry))
            os.utime(image.path)
            os.utime(path)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return image

    def add(self, url: str, body: bytes | bytearray, *, form: ImageForm) -> CachedImage:
        """Keep an image and the address it came from, and make room for both."""
        image = self._image(hashlib.sha256(body).hexdigest(), form)
        path = self._entry(url)
        added = BLOCK
        try:
            os.utime(image.path)
        except FileNotFoundError:
            _write(image.path, body)
            added += _charge(len(body))
        _write(path, json.dumps({"sha256": image.sha256, **asdict(form)}).encode())
        self._make_room(added, newest={image.path, path})
        return image

    def _image(self, sha256: str, form: ImageForm) -> CachedImage:
        return CachedImage(self._blobs / sha256, sha256, form)

    def _entry(self, url: str) -> Path:
        return self._urls / hashlib.sha256(url.encode()).hexdigest()

    def _make_room(self, added: int, *, newest: set[Path]) -> None:
        """Trim whenever a twentieth of the budget has been written, by any process."""
        with self._tally.open("ab") as tally:
            # A byte for each block: appending needs no lock.
            tally.write(b"." * (added // BLOCK))
            tally.flush()
            if not self._is_due(tally):
                return
            fcntl.flock(tally, fcntl.LOCK_EX)
            # A process that waited for the lock finds it done.
            if self._is_due(tally):
                tally.truncate(0)
                self._trim(newest)

    def _is_due(self, tally: BinaryIO) -> bool:
        return os.fstat(tally.fileno()).st_size * BLOCK >= self._budget // 20

    def _trim(self, newest: set[Path]) -> None:
        """Remove the least recently used, down to nine tenths. The newest image stays."""
        folders = (self._urls, self._blobs)
        files = sorted(file for folder in folders for file in _files(folder))
        # A folder takes room for the names it holds, and keeps it when they go.
        taken = sum(_charge(folder.stat().st_size) for folder in folders)
        excess = taken + sum(file.charge for file in files) - self._budget * 9 // 10
        for file in files:
            if excess <= 0:
                break
            if file.path not in newest and not _is_being_written(file):
                file.path.unlink(missing_ok=True)
                excess -= file.charge


def _charge(size: int) -> int:
    return max(1, -(-size // BLOCK)) * BLOCK


def _files(folder: Path) -> Iterator[_File]:
    """Every file below. Earlier versions had subfolders, which are removed once they are empty."""
    with os.scandir(folder) as entries:
        for entry in entries:
            path = Path(entry.path)
            # Another process may remove it while we look.
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    yield from _files(path)
                    path.rmdir()
                else:
                    status = entry.stat(follow_symlinks=False)
                    yield _File(status.st_mtime, path, _charge(status.st_size))


def _is_being_written(file: _File) -> bool:
    return file.path.suffix == TEMPORARY_SUFFIX and file.used_at > time.time() - _HOUR


def _write(path: Path, content: bytes | bytearray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacement_file(path, durable=False) as file:
        file.write(content)

"""Fetched images on disk: content-addressed, within a byte budget, oldest use out first."""

import hashlib
import json
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from nexus.services.images.inspect import ImageForm


@dataclass(frozen=True, slots=True)
class CachedImage:
    """One stored image. Its name is the SHA-256 of its bytes, which is its ETag too."""

    path: Path
    sha256: str
    form: ImageForm


class ImageCache:
    """`urls/` maps an address to a content hash; `blobs/` holds each content once.

    Files are written aside and renamed, so that several processes can share one folder. What is
    lost to a crash is fetched again.
    """

    def __init__(self, root: Path, *, budget_bytes: int) -> None:
        self._urls = root / "urls"
        self._blobs = root / "blobs"
        self._budget = budget_bytes
        self._lock = threading.Lock()
        self._written = 0

    def find(self, url: str) -> CachedImage | None:
        """The image of an address, and a note that it was used."""
        try:
            entry = json.loads(self._entry(url).read_text())
            image = self._image(entry.pop("sha256"), ImageForm(**entry))
            os.utime(image.path)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return image

    def add(self, url: str, body: bytes, *, form: ImageForm) -> CachedImage:
        """Keep an image and what address it came from."""
        image = self._image(hashlib.sha256(body).hexdigest(), form)
        if not image.path.exists():
            _write(image.path, body)
            self._make_room(len(body))
        entry = {"sha256": image.sha256, **asdict(form)}
        _write(self._entry(url), json.dumps(entry).encode())
        return image

    def _image(self, sha256: str, form: ImageForm) -> CachedImage:
        return CachedImage(self._blobs / sha256[:2] / sha256, sha256, form)

    def _entry(self, url: str) -> Path:
        name = hashlib.sha256(url.encode()).hexdigest()
        return self._urls / name[:2] / name

    def _make_room(self, added: int) -> None:
        """Look at the whole folder only after a tenth of the budget was written."""
        with self._lock:
            self._written += added
            if self._written < self._budget // 10:
                return
            self._written = 0
            self._evict()

    def _evict(self) -> None:
        files = []
        for path in self._blobs.rglob("*"):
            try:
                status = path.stat()
            except OSError:
                continue
            if path.is_file():
                files.append((status.st_mtime, status.st_size, path))
        excess = sum(size for _, size, _ in files) - self._budget
        for _, size, path in sorted(files):
            if excess <= 0:
                break
            path.unlink(missing_ok=True)
            excess -= size


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f".{uuid4().hex}.tmp"
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)

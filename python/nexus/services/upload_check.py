"""Checking uploaded bytes: whether they are the announced file, and their hash."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from nexus.db.models import PendingUpload
from nexus.extractors.file_types import HEAD_BYTES, FileType
from nexus.storage import StorageClient
from nexus.storage.errors import ObjectNotFound

_MISSING = "The file did not arrive. Upload it again."


@dataclass(frozen=True, slots=True)
class Announced:
    """What was announced. A renewed upload is another one, even if only its time differs."""

    storage_path: str
    size_bytes: int
    expires_at: object

    @classmethod
    def by(cls, upload: PendingUpload) -> "Announced":
        return cls(upload.storage_path, upload.size_bytes, upload.expires_at)


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The hash of a good file, or what is wrong with it, in words."""

    announced: Announced
    sha256: str | None = None
    problem: str | None = None


def check_file(storage: StorageClient, announced: Announced, kind: FileType) -> CheckedFile:
    """Read the whole file, which may take a while: no transaction should be open meanwhile."""
    try:
        problem = _problem(storage, announced, kind)
        if problem is not None:
            return CheckedFile(announced, problem=problem)
        return CheckedFile(announced, sha256=_sha256(storage.open_stream(announced.storage_path)))
    except ObjectNotFound:
        # Gone while we looked: somebody else finished this upload, or it was never there.
        return CheckedFile(announced, problem=_MISSING)


def _problem(storage: StorageClient, announced: Announced, kind: FileType) -> str | None:
    """Why the stored bytes are not the announced file, or None."""
    stored = storage.stat(announced.storage_path)
    if stored is None:
        return _MISSING
    if stored.size_bytes != announced.size_bytes:
        return (
            f"Only {stored.size_bytes} of {announced.size_bytes} bytes arrived. "
            "Upload the file again."
        )
    if not kind.looks_right(storage.read_range(announced.storage_path, 0, HEAD_BYTES)):
        return f"This file is not in {kind.name} format, despite its name. Choose another file."
    return None


def _sha256(chunks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()

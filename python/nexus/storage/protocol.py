"""What every storage backend offers. Objects are written once, by the holder of a signed URL."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

SIGNED_URL_SECONDS = 300
CHUNK_BYTES = 256 * 1024
MAX_RANGE_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SignedUpload:
    """Where to PUT the bytes, and the headers that must go with them."""

    url: str
    headers: dict[str, str]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SignedDownload:
    """Where to GET the bytes. A URL that starts with `/` is on the site's own origin."""

    url: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """Size and type of one stored object."""

    size_bytes: int
    content_type: str


@dataclass(frozen=True, slots=True)
class ListedObject:
    """One stored object, as a listing shows it."""

    path: str
    size_bytes: int
    updated_at: datetime


class StorageClient(Protocol):
    """Stores the original files. All calls block; all raise `nexus.storage.errors`."""

    def sign_upload(
        self, path: str, *, content_type: str, size_bytes: int, expires_in: int = SIGNED_URL_SECONDS
    ) -> SignedUpload:
        """A URL that accepts one upload. ObjectExists if something is there already."""
        ...

    def sign_download(
        self, path: str, *, filename: str, expires_in: int = SIGNED_URL_SECONDS
    ) -> SignedDownload:
        """A URL that downloads the object under that name. ObjectNotFound if there is none."""
        ...

    def put(
        self, path: str, *, content_type: str, size_bytes: int, chunks: Iterable[bytes]
    ) -> None:
        """Store the given bytes. ObjectExists if other bytes are there already."""
        ...

    def stat(self, path: str) -> ObjectInfo | None:
        """Size and type, or None if nothing is stored there."""
        ...

    def open_stream(self, path: str) -> Iterator[bytes]:
        """The bytes in chunks. ObjectNotFound comes with the first chunk asked for."""
        ...

    def read_range(self, path: str, start: int, length: int) -> bytes:
        """Up to `length` bytes (at most MAX_RANGE_BYTES) from `start`; fewer at the end."""
        ...

    def delete(self, path: str) -> None:
        """Remove the object; nothing happens if there is none."""
        ...

    def list_prefix(self, prefix: str) -> Iterator[ListedObject]:
        """Every object in the folder `prefix` and below it, in no particular order."""
        ...

    def delete_prefix(self, prefix: str) -> int:
        """Remove every object below a folder and return how many. Refuses an empty prefix."""
        ...

    def max_object_bytes(self) -> int | None:
        """The largest object the storage takes, None if it has no limit or does not report it."""
        ...

    def check(self) -> None:
        """Return if the storage is usable, raise StorageUnavailable if not."""
        ...


def require_range(start: int, length: int) -> None:
    """Refuse ranges no caller should ask for: negative, empty, or too much for memory."""
    if start < 0 or not 1 <= length <= MAX_RANGE_BYTES:
        raise ValueError(f"a range starts at 0 or later and has 1 to {MAX_RANGE_BYTES} bytes")

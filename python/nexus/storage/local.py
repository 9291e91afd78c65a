"""Storage on this machine's disk, with signed URLs that `nexus.http.stored_bytes` serves."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from nexus.config import Settings
from nexus.disk import is_disk_full
from nexus.storage.errors import (
    ObjectExists,
    ObjectNotFound,
    StorageFull,
    StorageMisconfigured,
    StorageUnavailable,
    UploadIncomplete,
    UploadTooLarge,
)
from nexus.storage.file_tree import FileTree, PendingFile, Segments
from nexus.storage.paths import content_type_of, required_prefix, split_path, split_prefix
from nexus.storage.protocol import (
    CHUNK_BYTES,
    SIGNED_URL_SECONDS,
    ListedObject,
    ObjectInfo,
    SignedDownload,
    SignedUpload,
    require_range,
)
from nexus.storage.signing import DownloadGrant, UploadGrant, UrlSigner

URL_PREFIX = "/storage"


class PendingUpload:
    """An upload on its way: exactly the announced number of bytes becomes an object, or none."""

    def __init__(self, tree: FileTree, file: PendingFile, path: Segments, size: int) -> None:
        self._tree = tree
        self._file = file
        self._path = path
        self._size = size

    def write(self, chunk: bytes) -> None:
        """Append bytes; UploadTooLarge before the one too many is written."""
        if self._file.size + len(chunk) > self._size:
            raise UploadTooLarge(f"more than the announced {self._size} bytes")
        with _disk_errors():
            self._file.write(chunk)

    def commit(self) -> None:
        """Publish the object; UploadIncomplete, or ObjectExists if other bytes are there."""
        if self._file.size != self._size:
            raise UploadIncomplete(f"{self._file.size} of {self._size} bytes")
        with _disk_errors():
            self._tree.publish(self._file, self._path)


class LocalStorage:
    """A StorageClient on a folder. Also writes and verifies, for the side that serves bytes."""

    def __init__(self, root: Path, secret: str, *, clock: Callable[[], float] = time.time) -> None:
        self._tree = FileTree(root)
        self._signer = UrlSigner(secret)
        self._clock = clock

    @classmethod
    def from_settings(cls, settings: Settings) -> "LocalStorage":
        """The local storage of an installation; its secrets must have been filled in."""
        if settings.storage_secret is None:
            raise StorageMisconfigured("NEXUS_STORAGE_SECRET is not set")
        return cls(settings.data_dir / "storage", settings.storage_secret.get_secret_value())

    def sign_upload(
        self, path: str, *, content_type: str, size_bytes: int, expires_in: int = SIGNED_URL_SECONDS
    ) -> SignedUpload:
        """A URL that accepts one upload of that size and type."""
        if self.stat(path) is not None:
            raise ObjectExists("an object is already stored there")
        expires_at = int(self._clock()) + expires_in
        query = self._signer.upload_query(
            path, content_type=content_type, size_bytes=size_bytes, expires_at=expires_at
        )
        return SignedUpload(
            url=f"{URL_PREFIX}/{path}?{query}",
            headers={"Content-Type": content_type},
            expires_at=datetime.fromtimestamp(expires_at, UTC),
        )

    def sign_download(
        self, path: str, *, filename: str, expires_in: int = SIGNED_URL_SECONDS
    ) -> SignedDownload:
        """A URL that downloads the object under that name."""
        if self.stat(path) is None:
            raise ObjectNotFound("nothing is stored there")
        expires_at = int(self._clock()) + expires_in
        query = self._signer.download_query(path, filename=filename, expires_at=expires_at)
        return SignedDownload(
            url=f"{URL_PREFIX}/{path}?{query}",
            expires_at=datetime.fromtimestamp(expires_at, UTC),
        )

    def put(
        self,
        path: str,
        *,
        content_type: str,  # noqa: ARG002 - the extension decides
        size_bytes: int,
        chunks: Iterable[bytes],
    ) -> None:
        """Store the given bytes, whole or not at all."""
        with self.pending_upload(path, size_bytes) as pending:
            for chunk in chunks:
                pending.write(chunk)
            pending.commit()

    def stat(self, path: str) -> ObjectInfo | None:
        """Size and type, or None if nothing is stored there."""
        try:
            with self.open_object(path) as file:
                size = os.fstat(file.fileno()).st_size
        except ObjectNotFound:
            return None
        return ObjectInfo(size_bytes=size, content_type=content_type_of(path))

    def open_stream(self, path: str) -> Iterator[bytes]:
        """The bytes in chunks."""
        with self.open_object(path) as file, _disk_errors():
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    def read_range(self, path: str, start: int, length: int) -> bytes:
        """Up to `length` bytes from `start`."""
        require_range(start, length)
        with self.open_object(path) as file, _disk_errors():
            file.seek(start)
            return file.read(length)

    def delete(self, path: str) -> None:
        """Remove the object, if there is one."""
        segments = split_path(path)
        with _disk_errors():
            self._tree.remove(segments)

    def list_prefix(self, prefix: str) -> Iterator[ListedObject]:
        """Every object below the folder."""
        segments = split_prefix(prefix)
        with _disk_errors():
            for found, info in self._tree.walk(segments):
                updated_at = datetime.fromtimestamp(info.st_mtime, UTC)
                yield ListedObject("/".join(found), info.st_size, updated_at)

    def delete_prefix(self, prefix: str) -> int:
        """Remove every object below the folder; never everything."""
        required_prefix(prefix)
        paths = [found.path for found in self.list_prefix(prefix)]
        for path in paths:
            self.delete(path)
        return len(paths)

    def max_object_bytes(self) -> int | None:
        """No limit but the disk's."""
        return None

    def check(self) -> None:
        """Write and remove a small file, as an upload would."""
        with _disk_errors(), self._tree.pending() as file:
            file.write(b"ready")
            file.file.flush()

    def open_object(self, path: str) -> BinaryIO:
        """The object as an open file; ObjectNotFound if there is none."""
        segments = split_path(path)
        with _disk_errors():
            return self._tree.open(segments)

    @contextmanager
    def pending_upload(self, path: str, size_bytes: int) -> Iterator[PendingUpload]:
        """A place to write an upload to. Leaving the block without a commit leaves nothing."""
        segments = split_path(path)
        with ExitStack() as stack:
            # Only opening is guarded: what the caller's block raises is the caller's.
            with _disk_errors():
                file = stack.enter_context(self._tree.pending())
            yield PendingUpload(self._tree, file, segments, size_bytes)

    def verify_upload(self, path: str, query: str) -> UploadGrant:
        """What an upload URL allows now."""
        return self._signer.verify_upload(path, query, now=self._clock())

    def verify_download(self, path: str, query: str) -> DownloadGrant:
        """What a download URL allows now."""
        return self._signer.verify_download(path, query, now=self._clock())

    def remove_abandoned_uploads(self, *, older_than_seconds: float) -> int:
        """Remove temporary files of processes that were killed, and return how many."""
        with _disk_errors():
            return self._tree.remove_abandoned(older_than_seconds)


@contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise StorageFull("the disk of the storage folder is full") from error
        raise StorageUnavailable(f"the storage folder failed: {error.strerror}") from error

"""Storage in a private bucket of Supabase Storage, through its REST API."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import jwt

from nexus.config import Environment, Settings
from nexus.storage.errors import (
    ObjectNotFound,
    ObjectTooLarge,
    PublicBucket,
    RangeBehindEnd,
    StorageMisconfigured,
    StorageUnavailable,
    WrongAddress,
    WrongBucket,
)
from nexus.storage.filenames import safe_filename
from nexus.storage.paths import required_prefix, split_path, split_prefix
from nexus.storage.protocol import (
    CHUNK_BYTES,
    SIGNED_URL_SECONDS,
    ListedObject,
    ObjectInfo,
    SignedDownload,
    SignedUpload,
    require_range,
)
from nexus.storage.supabase_api import FILE, SupabaseApi
from nexus.storage.supabase_bucket import NOT_A_STORAGE, Bucket

_PAGE = 100
# How long a bucket that was seen may be taken to be there.
_BUCKET_SECONDS = 60.0


class SupabaseStorage:
    """A StorageClient on one bucket."""

    def __init__(self, api: SupabaseApi, bucket: str) -> None:
        self._api = api
        self._bucket = quote(bucket, safe="")
        self._seen_at = float("-inf")

    @classmethod
    def from_settings(cls, settings: Settings) -> "SupabaseStorage":
        """The Supabase storage of an installation."""
        if settings.supabase_url is None or settings.supabase_service_key is None:
            raise StorageMisconfigured(
                "NEXUS_SUPABASE_URL and NEXUS_SUPABASE_SERVICE_KEY are not set"
            )
        isolated = settings.storage_prefix.startswith("test_runs/")
        if settings.env is Environment.TEST and not isolated:
            raise StorageMisconfigured("in tests NEXUS_STORAGE_PREFIX must start with test_runs/")
        key = settings.supabase_service_key.get_secret_value()
        return cls(SupabaseApi(settings.supabase_url, key), settings.supabase_bucket)

    def sign_upload(
        self, path: str, *, content_type: str, size_bytes: int, expires_in: int = SIGNED_URL_SECONDS
    ) -> SignedUpload:
        """A URL that accepts one upload. The service sets its lifetime and binds no size."""
        if size_bytes < 0:
            raise ValueError("a size of 0 or more is needed")
        response = self._api.call("POST", f"object/upload/sign/{self._key(path)}")
        url = self._url(response, "url")
        return SignedUpload(
            url=url,
            headers={"Content-Type": content_type},
            expires_at=min(_expiry_of(url), _from_now(expires_in)),
        )

    def sign_download(
        self, path: str, *, filename: str, expires_in: int = SIGNED_URL_SECONDS
    ) -> SignedDownload:
        """A URL that downloads the object under that name."""
        expires_at = _from_now(expires_in)
        try:
            response = self._api.call(
                "POST", f"object/sign/{self._key(path)}", json={"expiresIn": expires_in}
            )
        except ObjectNotFound:
            # The service reports a missing bucket the same way.
            self._require_bucket()
            raise
        url = self._url(response, "signedURL")
        name = quote(safe_filename(filename), safe="")
        return SignedDownload(url=f"{url}&download={name}", expires_at=expires_at)

    def put(
        self, path: str, *, content_type: str, size_bytes: int, chunks: Iterable[bytes]
    ) -> None:
        """Store the given bytes through a signed URL, as a browser would."""
        target = self.sign_upload(path, content_type=content_type, size_bytes=size_bytes)
        headers = {**target.headers, "Content-Length": str(size_bytes)}
        try:
            self._api.upload(target.url, chunks=chunks, headers=headers)
        except ObjectTooLarge:
            raise ObjectTooLarge(self.bucket().limit_bytes) from None

    def stat(self, path: str) -> ObjectInfo | None:
        """Size and type, or None if nothing is stored there."""
        try:
            info = _record(self._api.call("GET", f"object/info/{self._key(path)}"))
        except ObjectNotFound:
            return None
        except WrongBucket:
            # With a wrong key the service hides the bucket instead of refusing the key.
            self.bucket()
            raise
        size, content_type = info.get("size"), info.get("content_type")
        if not isinstance(size, int):
            raise StorageUnavailable("the storage service does not know the object's size yet")
        return ObjectInfo(size, content_type or "application/octet-stream")

    def open_stream(self, path: str) -> Iterator[bytes]:
        """The bytes in chunks."""
        resource = f"object/authenticated/{self._key(path)}"
        with self._api.stream("GET", resource, limits=FILE) as response:
            yield from response.iter_bytes(CHUNK_BYTES)

    def read_range(self, path: str, start: int, length: int) -> bytes:
        """Up to `length` bytes from `start`."""
        require_range(start, length)
        info = self.stat(path)
        if info is None:
            raise ObjectNotFound("nothing is stored there")
        # Never ask past the end: the service's file backend then announces bytes it lacks.
        end = min(start + length, info.size_bytes)
        if start >= end:
            return b""
        resource = f"object/authenticated/{self._key(path)}"
        wanted = {"Range": f"bytes={start}-{end - 1}"}
        limits = replace(FILE, body_bytes=end - start)
        try:
            with self._api.stream("GET", resource, headers=wanted, limits=limits) as response:
                if response.status_code != 206:
                    raise StorageUnavailable("the storage service ignores ranges")
                return response.read()
        except RangeBehindEnd:
            return b""

    def delete(self, path: str) -> None:
        """Remove the object, if there is one."""
        split_path(path)
        if not self._remove([path]):
            self._require_bucket()

    def list_prefix(self, prefix: str) -> Iterator[ListedObject]:
        """Every object below the folder. The service lists one level at a time."""
        folder = "".join(f"{segment}/" for segment in split_prefix(prefix))
        folders, empty = [folder], True
        while folders:
            folder = folders.pop()
            for entry in self._list(folder):
                empty = False
                path = f"{folder}{entry['name']}"
                if entry.get("id") is None:
                    folders.append(f"{path}/")
                else:
                    yield _listed(path, entry)
        if empty:
            self._require_bucket()

    def delete_prefix(self, prefix: str) -> int:
        """Remove every object below the folder; never everything."""
        required_prefix(prefix)
        paths = [found.path for found in self.list_prefix(prefix)]
        for first in range(0, len(paths), _PAGE):
            self._remove(paths[first : first + _PAGE])
        return len(paths)

    def check(self) -> None:
        """The bucket must be reachable with the key, and private."""
        if self.bucket().public:
            raise PublicBucket("the storage bucket is public: make it private")

    def max_object_bytes(self) -> int | None:
        """The bucket's own limit; the service does not report the limit of the whole project."""
        return self.bucket().limit_bytes

    def bucket(self) -> Bucket:
        """The bucket as it is now; WrongAddress, WrongKey or WrongBucket if it cannot be seen."""
        bucket = Bucket.of(self._api.call("GET", f"bucket/{self._bucket}"))
        self._seen_at = time.monotonic()
        return bucket

    def close(self) -> None:
        """Close the connections to the service."""
        self._api.close()

    def _key(self, path: str) -> str:
        return "/".join([self._bucket, *split_path(path)])

    def _url(self, response: object, name: str) -> str:
        relative = _record(response).get(name)
        if not isinstance(relative, str) or "?token=" not in relative:
            raise WrongAddress("the storage URL responded without a signed URL")
        return f"{self._api.base_url}/{relative.lstrip('/')}"

    def _require_bucket(self) -> None:
        """Listing and deleting find nothing in a bucket that does not exist, which is no error."""
        if time.monotonic() - self._seen_at > _BUCKET_SECONDS:
            self.bucket()

    def _remove(self, paths: list[str]) -> list[dict[str, Any]]:
        body = {"prefixes": paths}
        return _rows(self._api.call("DELETE", f"object/{self._bucket}", json=body))

    def _list(self, folder: str) -> Iterator[dict[str, Any]]:
        offset = 0
        while True:
            body = {
                "prefix": folder,
                "limit": _PAGE,
                "offset": offset,
                "sortBy": {"column": "name", "order": "asc"},
            }
            page = _rows(self._api.call("POST", f"object/list/{self._bucket}", json=body))
            yield from page
            if len(page) < _PAGE:
                return
            offset += _PAGE


def _record(response: object) -> dict[str, Any]:
    if not isinstance(response, dict):
        raise WrongAddress(NOT_A_STORAGE)
    return response


def _rows(response: object) -> list[dict[str, Any]]:
    if not isinstance(response, list):
        raise WrongAddress(NOT_A_STORAGE)
    return [_record(row) for row in response]


def _listed(path: str, entry: dict[str, Any]) -> ListedObject:
    size = (entry.get("metadata") or {}).get("size") or 0
    return ListedObject(path, int(size), datetime.fromisoformat(entry["updated_at"]))


def _from_now(seconds: int) -> datetime:
    return datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=seconds)


def _expiry_of(url: str) -> datetime:
    """When a signed URL's token ends. Only the service can check it; we only report it."""
    token = url.rpartition("?token=")[2]
    try:
        claims = jwt.decode(token, options={"verify_signature": False, "verify_exp": False})
        return datetime.fromtimestamp(int(claims["exp"]), UTC)
    except (jwt.PyJWTError, KeyError, ValueError):
        raise StorageMisconfigured("the storage service responded with an unknown token") from None

"""Signed URLs of the local backend: HMAC-SHA256 over method, path and the whole query string."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode

from nexus.signing import is_signature, sign
from nexus.storage.errors import InvalidPath, SignatureExpired, SignatureInvalid
from nexus.storage.filenames import safe_filename
from nexus.storage.paths import split_path

_SIGNATURE = "&signature="
_CONTENT_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,63}/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}")


@dataclass(frozen=True, slots=True)
class UploadGrant:
    """What a verified upload URL allows."""

    content_type: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class DownloadGrant:
    """What a verified download URL allows."""

    filename: str


class UrlSigner:
    """Signs and verifies query strings with one secret."""

    def __init__(self, secret: str) -> None:
        self._key = secret.encode()

    def upload_query(
        self, path: str, *, content_type: str, size_bytes: int, expires_at: int
    ) -> str:
        """The query string that lets its holder PUT exactly so many bytes of that type."""
        if not _CONTENT_TYPE.fullmatch(content_type) or size_bytes < 0:
            raise ValueError("a plain lower-case content type and a size of 0 or more are needed")
        fields = {"expires": expires_at, "size": size_bytes, "type": content_type}
        return self._sign("PUT", path, urlencode(fields, quote_via=quote, safe=""))

    def download_query(self, path: str, *, filename: str, expires_at: int) -> str:
        """The query string that lets its holder GET the object under that name."""
        fields = {"expires": expires_at, "filename": safe_filename(filename)}
        return self._sign("GET", path, urlencode(fields, quote_via=quote, safe=""))

    def verify_upload(self, path: str, query: str, *, now: float) -> UploadGrant:
        """What the URL allows; SignatureInvalid or SignatureExpired."""
        fields = self._verify("PUT", path, query, now)
        return UploadGrant(content_type=fields["type"], size_bytes=int(fields["size"]))

    def verify_download(self, path: str, query: str, *, now: float) -> DownloadGrant:
        """What the URL allows; SignatureInvalid or SignatureExpired."""
        fields = self._verify("GET", path, query, now)
        return DownloadGrant(filename=fields["filename"])

    def _sign(self, method: str, path: str, query: str) -> str:
        signature = sign(self._key, _message(method, path, query))
        return f"{query}{_SIGNATURE}{signature}"

    def _verify(self, method: str, path: str, query: str, now: float) -> dict[str, str]:
        # The raw text is compared and only then parsed, so there is one accepted spelling:
        # no reordering, repeated or added parameter, other percent-encoding or letter case.
        signed, _, signature = query.rpartition(_SIGNATURE)
        try:
            split_path(path)
        except InvalidPath:
            raise SignatureInvalid("no such path is ever signed") from None
        message = _message(method, path, signed)
        if not is_signature(signature, key=self._key, message=message):
            raise SignatureInvalid("the signature does not match the request")
        fields = dict(parse_qsl(signed, strict_parsing=True))
        if now >= int(fields["expires"]):
            raise SignatureExpired("the signed URL has expired")
        return fields


def _message(method: str, path: str, query: str) -> bytes:
    # A path holds no line break, so the parts cannot be shifted against each other.
    return f"nexus-storage-1\n{method}\n{path}\n{query}".encode("utf-8", "replace")

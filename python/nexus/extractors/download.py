"""Fetching what an address leads to when it is no page, and telling by its bytes what it is."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import PurePosixPath
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

import httpx

from nexus.config import Settings
from nexus.db.enums import MediaKind
from nexus.disk import is_disk_full
from nexus.egress.guard import EgressError, Guard
from nexus.egress.http import address_of, open_public
from nexus.extractors.failures import FailureCode
from nexus.extractors.file_types import FileType
from nexus.extractors.interface import AddressIsFile, ExtractionError
from nexus.extractors.kinds import KINDS
from nexus.outbound.limits import MIB, BodyTooLarge, Limits
from nexus.storage.filenames import safe_filename

SECONDS = 90.0
SILENCE_SECONDS = 15.0
_REDIRECTS = 10
_CHUNK_BYTES = 256 * 1024
_HEAD_BYTES = 1024
_EXTENSIONS = {f".{kind.file.extension}" for kind in KINDS.values() if kind.file is not None}
_HEADERS = {
    "Accept": "application/pdf, application/epub+zip, */*;q=0.5",
    "User-Agent": "Mozilla/5.0 (compatible; NexusBot/1.0)",
}


@dataclass(frozen=True, slots=True)
class Download:
    """A file as it came, in a temporary file that goes with its block."""

    kind: MediaKind
    type: FileType
    url: str
    """Where it was served."""
    name: str
    size_bytes: int
    sha256: str
    content: BinaryIO

    def chunks(self) -> Iterator[bytes]:
        self.content.seek(0)
        while chunk := self.content.read(_CHUNK_BYTES):
            yield chunk


@contextmanager
def downloaded(found: AddressIsFile, settings: Settings) -> Iterator[Download]:
    """The file at an address. ExtractionError if Nexus keeps no such file, or it does not come."""
    with tempfile.TemporaryFile() as content:
        yield _download(found, settings, content)


def _download(found: AddressIsFile, settings: Settings, content: BinaryIO) -> Download:
    largest = max(kind.file.max_bytes for kind in KINDS.values() if kind.file is not None)
    limits = Limits(body_bytes=largest, seconds=SECONDS, silence_seconds=SILENCE_SECONDS)
    guard = Guard.from_settings(settings)
    try:
        with open_public(
            found.url, guard, limits, headers=_HEADERS, redirects=_REDIRECTS
        ) as response:
            return _received(response, found, content)
    except EgressError as error:
        raise ExtractionError(error.message, code=FailureCode.INGEST_FAILED) from error
    except httpx.TimeoutException as error:
        message = "the file took too long to download"
        raise ExtractionError(message, code=FailureCode.INGEST_TIMEOUT) from error
    except BodyTooLarge as error:
        raise _too_large(largest) from error
    except httpx.HTTPError as error:
        message = "the site broke off while it sent this file"
        raise ExtractionError(message, code=FailureCode.INGEST_FAILED) from error
    except OSError as error:
        if not is_disk_full(error):
            raise
        raise ExtractionError(code=FailureCode.STORAGE_FULL) from error


def _received(response: httpx.Response, found: AddressIsFile, content: BinaryIO) -> Download:
    if response.status_code != 200:
        message = f"the site returned {response.status_code}"
        raise ExtractionError(message, code=FailureCode.INGEST_FAILED)
    digest, kind = hashlib.sha256(), None
    for chunk in response.iter_raw():
        content.write(chunk)
        digest.update(chunk)
        if kind is None and content.tell() >= _HEAD_BYTES:
            kind = _kind_of(content, response, found)
        if kind is not None and content.tell() > _file_type(kind).max_bytes:
            raise _too_large(_file_type(kind).max_bytes)
    size = content.tell()
    kind = kind or _kind_of(content, response, found)
    return Download(
        kind=kind,
        type=_file_type(kind),
        url=address_of(response),
        name=_name(response),
        size_bytes=size,
        sha256=digest.hexdigest(),
        content=content,
    )


def _kind_of(content: BinaryIO, response: httpx.Response, found: AddressIsFile) -> MediaKind:
    """By its first bytes. What its site calls HTML must also look like a file further on."""
    end = content.tell()
    content.seek(0)
    head = content.read(_HEAD_BYTES)
    content.seek(end)
    is_html = response.headers.get("content-type", "").lower().startswith("text/html")
    for kind in KINDS.values():
        if kind.file is None or not kind.file.looks_right(head):
            continue
        if not is_html or kind.kind is not MediaKind.PDF or b" obj" in head:
            return kind.kind
    raise ExtractionError(str(found), code=FailureCode.INGEST_FAILED)


def _file_type(kind: MediaKind) -> FileType:
    file = KINDS[kind].file
    assert file is not None
    return file


def _too_large(limit: int) -> ExtractionError:
    message = f"The file at this address is larger than {limit // MIB} MiB."
    return ExtractionError(message, code=FailureCode.FILE_TOO_LARGE)


def _name(response: httpx.Response) -> str:
    """What its site calls the file, or the end of its address, without the extension."""
    header = Message()
    header["Content-Disposition"] = response.headers.get("content-disposition", "")
    parts = urlsplit(address_of(response))
    from_address = unquote(parts.path.rstrip("/").rpartition("/")[2])
    name = header.get_filename() or from_address or parts.netloc
    path = PurePosixPath(safe_filename(name))
    return path.stem if path.suffix.lower() in _EXTENSIONS else path.name

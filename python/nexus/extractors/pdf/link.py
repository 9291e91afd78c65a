"""One PDF through the Node program that reads it: its bytes there, what is in it back."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

from nexus.config import PROJECT_ROOT, Settings
from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import ExtractionError, TransientExtractionError
from nexus.extractors.web_article.node_connection import NodeConnection
from nexus.extractors.web_article.node_errors import IngestInterrupted
from nexus.extractors.web_article.node_process import ExtractorMissing, NodeProcess
from nexus.logging import get_logger
from nexus.metrics.ingest import record_extractor_start
from nexus.standstill import LONGEST_SECONDS
from nexus.storage import StorageClient
from nexus.storage.errors import StorageError

logger = get_logger(__name__)

PROGRAM = PROJECT_ROOT / "node" / "ingest" / "pdf.mjs"
# Native code is never loaded there, whatever else is installed.
COMMAND = ("--no-addons", str(PROGRAM))
# The program's own limit; it says so itself when it is reached, a moment before we give up.
SECONDS = 60.0
_GRACE_SECONDS = 5.0
_MAX_LINE = 256 * 1024 * 1024

_FAILURES = {
    "password": FailureCode.PDF_PASSWORD,
    "invalid": FailureCode.PDF_INVALID,
    "too_complex": FailureCode.FILE_TOO_COMPLEX,
}


Link = NodeProcess | NodeConnection


def read_pdf(
    storage: StorageClient, path: str, settings: Settings, *, seconds: float
) -> Iterator[dict[str, Any]]:
    """What the program finds in a stored file, in its order. Raises ExtractionError."""
    try:
        stored = storage.stat(path)
    except StorageError as error:
        raise _storage_failed() from error
    if stored is None:
        raise ExtractionError("The file of this item is gone. Upload it again.")
    reading = _Reading(storage, path, _open(settings), seconds=min(SECONDS, seconds))
    yield from reading.lines(stored.size_bytes)


def _open(settings: Settings) -> Link:
    elsewhere = settings.extractor_address
    try:
        link = NodeConnection(*elsewhere) if elsewhere else NodeProcess(settings, COMMAND)
    except ExtractorMissing as error:
        raise ExtractionError(str(error)) from error
    except (IngestInterrupted, OSError) as error:
        raise _interrupted(str(error)) from error
    record_extractor_start()
    return link


class _Reading:
    """A file on its way there, while what is in it comes back."""

    def __init__(self, storage: StorageClient, path: str, link: Link, *, seconds: float) -> None:
        self._storage, self._path, self._link, self._seconds = storage, path, link, seconds
        self._not_read: StorageError | None = None
        self._heard_at = time.monotonic()
        self._too_late = False

    def lines(self, size_bytes: int) -> Iterator[dict[str, Any]]:
        sender = threading.Thread(target=self._send, args=(size_bytes,), daemon=True)
        clock = threading.Timer(self._seconds + _GRACE_SECONDS, self._give_up)
        sender.start()
        clock.start()
        try:
            yield from self._received()
        finally:
            clock.cancel()
            self._link.close()
            sender.join()

    def _send(self, size_bytes: int) -> None:
        request = {"pdf": True, "size": size_bytes, "timeout_ms": int(self._seconds * 1000)}
        try:
            # The bytes are read only as fast as the program takes them.
            with contextlib.suppress(OSError, ValueError):
                self._link.send(json.dumps(request).encode() + b"\n")
                for chunk in self._storage.open_stream(self._path):
                    self._link.send(chunk)
        except StorageError as error:
            self._not_read = error
            self._link.kill()

    def _give_up(self) -> None:
        self._too_late = True
        self._link.kill()

    def _received(self) -> Iterator[dict[str, Any]]:
        with contextlib.suppress(OSError):
            while line := self._link.replies.readline(_MAX_LINE):
                self._heard_at = time.monotonic()
                found = json.loads(line)
                if "alive" in found:
                    continue
                if "ok" not in found:
                    yield found
                elif found["ok"]:
                    return
                else:
                    raise _failure(found["code"], found["message"])
        raise self._ending()

    def _ending(self) -> ExtractionError:
        """Why there is no last line."""
        if self._not_read is not None:
            logger.warning("pdf_not_read_from_storage", reason=str(self._not_read))
            return _storage_failed()
        silent = time.monotonic() - self._heard_at
        if self._too_late and silent <= LONGEST_SECONDS:
            return ExtractionError(code=FailureCode.FILE_TOO_COMPLEX)
        return _interrupted("Reading this file was cut off. Try again.")


def _failure(code: str, reason: str) -> ExtractionError:
    logger.info("pdf_not_readable", code=code, reason=reason)
    if code in _FAILURES:
        return ExtractionError(code=_FAILURES[code])
    return _interrupted("Reading this file was cut off. Try again.")


def _interrupted(message: str) -> TransientExtractionError:
    return TransientExtractionError(message, code=FailureCode.EXTRACTION_FAILED)


def _storage_failed() -> TransientExtractionError:
    message = "The file store does not respond right now. Try again later."
    return TransientExtractionError(message, code=FailureCode.EXTRACTION_FAILED)

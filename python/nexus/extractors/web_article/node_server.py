"""One running extractor, and the articles in progress in it."""

import contextlib
import itertools
import json
import logging
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import IO, Any

from nexus.config import Settings
from nexus.extractors.web_article.node_connection import NodeConnection
from nexus.extractors.web_article.node_errors import (
    IngestError,
    IngestFailed,
    IngestInterrupted,
    IngestTimeout,
    failure,
    text_of,
)
from nexus.extractors.web_article.node_process import MAX_STDOUT, ExtractorMissing, NodeProcess
from nexus.metrics.ingest import record_browser_starts, record_extractor_start
from nexus.standstill import LONGEST_SECONDS

logger = logging.getLogger(__name__)

# The page gets this share of the wall clock; the rest is for starting a browser and replying.
PAGE_SHARE = 0.75
STOP_SECONDS = 5.0


@dataclass(frozen=True)
class Extracted:
    """An article as Readability found it. Not sanitized."""

    final_url: str
    base_url: str
    title: str
    content_html: str
    metadata: object = None
    """What the page declares about itself, not validated. Older extractors send none."""


def request_for(url: str, timeout_seconds: float) -> dict[str, Any]:
    """What an extractor is sent."""
    return {"url": url, "timeout_ms": max(1, int(timeout_seconds * PAGE_SHARE * 1000))}


def extracted_from(result: dict[str, Any]) -> Extracted:
    """What it replied; KeyError or TypeError when it is not that."""
    return Extracted(
        final_url=text_of(result["final_url"]),
        base_url=text_of(result["base_url"]),
        title=text_of(result["title"]),
        content_html=text_of(result["content_html"]),
        metadata=result.get("metadata"),
    )


def _open_link(settings: Settings) -> NodeProcess | NodeConnection:
    elsewhere = settings.extractor_address
    return NodeConnection(*elsewhere) if elsewhere else NodeProcess(settings)


class ExtractorServer:
    """One extractor and the articles in progress in it. Safe to use from any thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._ids = itertools.count(1)
        self._browsers = 0
        self._heard_at = 0.0
        self.users = 0
        """How many threads have it, counted under the lock of `_in_use`."""
        self.used_at = 0.0
        self.timer: threading.Timer | None = None
        self._pending: dict[int, Future[Extracted]] = {}
        self._lock = threading.Lock()
        self._opened: Future[NodeProcess | NodeConnection] = Future()
        # A process dies with the thread that started it (see `NodeProcess`), so that thread is
        # the one that reads its replies and lives exactly as long as it does.
        self._thread = threading.Thread(target=self._run, name="node-ingest", daemon=True)
        self._thread.start()
        self.link = self._opened.result()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive() and self.link.is_open

    def extract(self, url: str, timeout_seconds: float) -> Extracted:
        """Send one request and wait for its reply; if none comes, the extractor is killed."""
        number, reply, sent_at = next(self._ids), Future[Extracted](), time.monotonic()
        request = {"id": number, **request_for(url, timeout_seconds)}
        with self._lock:
            self._pending[number] = reply
            try:
                self.link.send(json.dumps(request).encode() + b"\n")
            except (OSError, ValueError):
                stopped = IngestInterrupted("the extractor stopped before it could start")
                self._settle(number, stopped)
        try:
            return reply.result(timeout_seconds)
        except FutureTimeoutError:
            logger.warning("extractor did not reply in %s s, killing it", timeout_seconds)
            silent = time.monotonic() - max(sent_at, self._heard_at)
            self.link.kill()
            if silent > LONGEST_SECONDS:
                raise IngestInterrupted("the extractor stopped responding") from None
            raise IngestTimeout("the page took too long to load") from None
        finally:
            self._pending.pop(number, None)

    def stop(self) -> None:
        """Let it finish for a moment, then make sure that nothing of it is left."""
        with self._lock, contextlib.suppress(OSError):
            self.link.finish()
        self._thread.join(STOP_SECONDS)
        self.link.kill()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        try:
            link = _open_link(self._settings)
        except ExtractorMissing as error:
            self._opened.set_exception(IngestFailed(str(error)))
            return
        except (IngestInterrupted, OSError) as error:
            self._opened.set_exception(IngestInterrupted(str(error)))
            return
        self._opened.set_result(link)
        record_extractor_start()
        try:
            self._read_replies(link.replies)
        except OSError:
            logger.warning("the connection to the extractor broke")
        except (ValueError, KeyError, TypeError):
            logger.exception("extractor sent an invalid reply, killing it")
        finally:
            with self._lock:
                link.close()
            self._fail_all("the extractor stopped while it read this page")

    def _read_replies(self, replies: IO[bytes]) -> None:
        while line := replies.readline(MAX_STDOUT):
            self._replied(line)

    def _replied(self, line: bytes) -> None:
        self._heard_at = time.monotonic()
        reply = json.loads(line)
        if reply.get("alive"):
            return
        if reply["ok"]:
            self._settle(reply["id"], extracted_from(reply["result"]))
        else:
            self._settle(reply["id"], failure(reply["code"], reply["message"], reply.get("url")))
        browsers = int(reply.get("browsers", self._browsers))
        if browsers > self._browsers:
            record_browser_starts(browsers - self._browsers)
            self._browsers = browsers

    def _settle(self, number: int, outcome: Extracted | IngestError) -> None:
        future = self._pending.pop(number, None)
        if future is None:
            return
        if isinstance(outcome, IngestError):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)

    def _fail_all(self, message: str) -> None:
        with self._lock:
            for number in list(self._pending):
                self._settle(number, IngestInterrupted(message))

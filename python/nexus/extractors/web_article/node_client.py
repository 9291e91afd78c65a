"""Drives the Node extractor: one for each worker process, here or elsewhere, or one per article."""

import atexit
import contextlib
import itertools
import json
import logging
import os
import subprocess
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import IO, Any

from nexus.config import Settings, get_settings
from nexus.extractors.web_article.node_connection import NodeConnection
from nexus.extractors.web_article.node_errors import (
    IngestError,
    IngestFailed,
    IngestInterrupted,
    IngestTimeout,
    failure,
    text_of,
)
from nexus.extractors.web_article.node_process import (
    MAX_STDERR,
    MAX_STDOUT,
    PROGRAM,
    CappedReader,
    ExtractorMissing,
    NodeProcess,
    kill_tree,
    start_node,
    streams_of,
)
from nexus.metrics.ingest import record_browser_starts, record_extractor_start
from nexus.standstill import LONGEST_SECONDS

logger = logging.getLogger(__name__)

WALL_CLOCK_SECONDS = 40.0
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


def extract(
    url: str,
    *,
    timeout_seconds: float = WALL_CLOCK_SECONDS,
    settings: Settings | None = None,
) -> Extracted:
    """Fetch and read the article at `url`. Raises an IngestError."""
    settings = settings or get_settings()
    if settings.ingest_mode == "oneshot" and settings.extractor is None:
        return _extract_once(url, timeout_seconds, settings)
    return _shared_server(settings).extract(url, timeout_seconds)


def stop() -> None:
    """End this process's extractor, its browser included. The next article starts a new one."""
    global _server
    with _server_lock:
        server, _server = _server, None
    if server:
        server.stop()


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
        request = {"id": number, **_request(url, timeout_seconds)}
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
            self._settle(reply["id"], _extracted(reply["result"]))
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


_server: ExtractorServer | None = None
_server_lock = threading.Lock()
_abandoned: list[ExtractorServer] = []


def _shared_server(settings: Settings) -> ExtractorServer:
    global _server
    with _server_lock:
        if _server is None or not _server.is_alive:
            _server = ExtractorServer(settings)
        return _server


def _forget_after_fork() -> None:
    """The extractor is the parent's: a forked child must drop it and start its own."""
    global _server, _server_lock
    _server_lock = threading.Lock()
    if _server:
        # Kept, because collecting the object would wait for a process that is not our child.
        _abandoned.append(_server)
        with contextlib.suppress(OSError):
            _server.link.abandon()
    _server = None


os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(stop)


def _extract_once(url: str, timeout_seconds: float, settings: Settings) -> Extracted:
    try:
        process = start_node([str(PROGRAM)], settings)
    except ExtractorMissing as error:
        raise IngestFailed(str(error)) from None
    except OSError as error:
        raise IngestInterrupted(str(error)) from None
    requests, replies, stderr = streams_of(process)
    output, errors = CappedReader(replies, MAX_STDOUT), CappedReader(stderr, MAX_STDERR)
    try:
        with contextlib.suppress(OSError):
            requests.write(json.dumps(_request(url, timeout_seconds)).encode())
            requests.close()
        code = process.wait(timeout_seconds)
    except subprocess.TimeoutExpired:
        raise IngestTimeout("the page took too long to load") from None
    finally:
        kill_tree(process)
        text, complaints = output.finish(), errors.finish().decode(errors="replace")
    reason = (complaints.strip().splitlines() or ["the extractor stopped without a reason"])[-1]
    try:
        if code == 0:
            return _extracted(json.loads(text))
        name = _EXIT_CODES.get(code, "interrupted" if code < 0 else "fetch_failed")
        raise failure(name, reason, json.loads(text)["url"] if name == "is_file" else None)
    except (ValueError, KeyError, TypeError):
        raise IngestFailed("the extractor sent an invalid reply") from None


def _request(url: str, timeout_seconds: float) -> dict[str, Any]:
    return {"url": url, "timeout_ms": max(1, int(timeout_seconds * PAGE_SHARE * 1000))}


def _extracted(result: dict[str, Any]) -> Extracted:
    return Extracted(
        final_url=text_of(result["final_url"]),
        base_url=text_of(result["base_url"]),
        title=text_of(result["title"]),
        content_html=text_of(result["content_html"]),
        metadata=result.get("metadata"),
    )


_EXIT_CODES = {10: "timeout", 13: "too_much_memory", 14: "interrupted", 15: "is_file"}

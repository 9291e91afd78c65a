"""Cleans pages in a process of their own, with limits on time and memory, that can be killed.

Cleaning runs mostly in C and holds the interpreter's lock: in the worker itself a hostile page
would stop everything there, including the renewal of its lease. The process is kept for the next
page; it exits by itself when none comes.
"""

import atexit
import contextlib
import fcntl
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

from nexus.child import bare_environment
from nexus.html.cleaner import LENGTH
from nexus.html.image_sizes import Size
from nexus.html.outline import Heading
from nexus.html.sanitize import SanitizedHtml
from nexus.logging import get_logger

logger = get_logger(__name__)

WALL_CLOCK_SECONDS = 20.0
_PROGRAM = "nexus.html.cleaner"
_CHUNK = 256 * 1024
_PIPE_BYTES = 1024 * 1024


class CleaningFailed(Exception):
    """The page could not be cleaned. The message is for people."""


class CleaningInterrupted(Exception):
    """Something killed the process from outside, such as a system without memory."""


@dataclass(frozen=True, slots=True)
class CleanPage:
    """What is kept of a page. Only the sanitizer makes its HTML."""

    html: SanitizedHtml
    text: str
    anchors: dict[str, int]
    headings: list[Heading]
    image_sizes: dict[str, Size]


def clean_page(html: str, base_url: str, page_url: str = "") -> CleanPage:
    """Sanitize and canonicalize a page. Raises CleaningFailed, within seconds at the latest, or
    CleaningInterrupted."""
    request = _framed({"html": html, "base_url": base_url, "page_url": page_url})
    with _lock:
        try:
            reply = _ask(request)
        except BaseException:
            _end()  # whatever it is doing, its reply would be taken for the next page's
            raise
    if "page" in reply:
        return _page(reply["page"])
    if "refused" in reply:
        raise CleaningFailed(reply["refused"])
    logger.error("sanitization_defect", trace=reply["defect"])
    raise CleaningFailed("The text of this page could not be cleaned up for reading.")


def _page(found: dict[str, Any]) -> CleanPage:
    return CleanPage(
        html=SanitizedHtml(found["html"]),
        text=found["text"],
        anchors=found["anchors"],
        headings=[_heading(each) for each in found["headings"]],
        image_sizes={
            address: (width, height) for address, (width, height) in found["sizes"].items()
        },
    )


def _heading(found: dict[str, Any]) -> Heading:
    return Heading(found["label"], found["offset"], [_heading(each) for each in found["children"]])


def warm_up() -> None:
    """Have the process ready by the time there is something to clean."""
    with _lock:
        _running()


def stop() -> None:
    """End this process's cleaner. The next page starts a new one."""
    with _lock:
        _end()


class _ExitedIdle(Exception):
    """The process exited because it was idle, just when a page came."""


_lock = threading.Lock()
_process: subprocess.Popen[bytes] | None = None


def _ask(request: bytes) -> dict[str, Any]:
    try:
        return _exchange(_running(), request)
    except _ExitedIdle:
        _end()
        return _exchange(_running(), request)


def _running() -> subprocess.Popen[bytes]:
    global _process
    if _process is not None and _process.poll() is not None:
        _end()
    if _process is None:
        _process = subprocess.Popen(
            [sys.executable, "-P", "-m", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=bare_environment(),
            start_new_session=True,
        )
        _widen(_process)
    return _process


def _widen(process: subprocess.Popen[bytes]) -> None:
    """Widen the pipes: most pages then go through in one piece, without either side waiting."""
    if sys.platform == "linux":
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    fcntl.fcntl(stream.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _end() -> None:
    global _process
    process, _process = _process, None
    if process is None:
        return
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _exchange(process: subprocess.Popen[bytes], request: bytes) -> dict[str, Any]:
    """Send the request and wait for the reply, both before the deadline."""
    assert process.stdin is not None
    assert process.stdout is not None
    deadline = time.monotonic() + WALL_CLOCK_SECONDS
    unsent, reply = memoryview(request), bytearray()
    os.set_blocking(process.stdin.fileno(), False)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdin, selectors.EVENT_WRITE)
        selector.register(process.stdout, selectors.EVENT_READ)
        while not _is_complete(reply):
            left = deadline - time.monotonic()
            ready = selector.select(left) if left > 0 else []
            if not ready:
                raise CleaningFailed("Cleaning up the text of this page took too long.")
            for key, _ in ready:
                if key.fileobj is process.stdin:
                    unsent = _send_some(process, unsent)
                    if not unsent:
                        selector.unregister(process.stdin)
                else:
                    reply += _received(process)
    found: dict[str, Any] = json.loads(reply[LENGTH.size :])
    return found


def _send_some(process: subprocess.Popen[bytes], unsent: memoryview) -> memoryview:
    assert process.stdin is not None
    try:
        return unsent[os.write(process.stdin.fileno(), unsent[:_CHUNK]) :]
    except BrokenPipeError:
        raise _ending(process) from None


def _received(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    part = os.read(process.stdout.fileno(), _CHUNK)
    if not part:
        raise _ending(process)
    return part


def _ending(process: subprocess.Popen[bytes]) -> Exception:
    """Why there will be no reply."""
    code = process.wait()
    if code == 0:
        return _ExitedIdle()
    logger.warning("cleaner_died", code=code)
    if code == -signal.SIGXCPU:
        return CleaningFailed("Cleaning up the text of this page took too long.")
    if code in (-signal.SIGKILL, -signal.SIGTERM):
        return CleaningInterrupted("Cleaning up the text of this page was cut off.")
    return CleaningFailed("The text of this page could not be cleaned up for reading.")


def _framed(request: dict[str, str]) -> bytes:
    body = json.dumps(request).encode()
    return LENGTH.pack(len(body)) + body


def _is_complete(reply: bytearray) -> bool:
    if len(reply) < LENGTH.size:
        return False
    (length,) = LENGTH.unpack_from(reply)
    return len(reply) >= LENGTH.size + int(length)


def _forget_after_fork() -> None:
    """The process is the parent's: if we kept its pipes open, it would never see their end."""
    global _process, _lock
    _lock = threading.Lock()
    process, _process = _process, None
    if process is not None:
        _abandoned.append(process)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


# Kept, because collecting the object would wait for a process that is not our child.
_abandoned: list[subprocess.Popen[bytes]] = []
os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(stop)

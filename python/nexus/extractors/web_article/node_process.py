"""Starts and ends the Node program: its environment, its output, and that nothing is left of it."""

import contextlib
import io
import logging
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Sequence
from typing import IO

import psutil

from nexus.config import PROJECT_ROOT, Settings
from nexus.embedded.bound import bound_command

logger = logging.getLogger(__name__)

PROGRAM = PROJECT_ROOT / "node" / "ingest" / "ingest.mjs"
MAX_STDOUT = 20 * 1024 * 1024
MAX_STDERR = 1024 * 1024
_STDERR_SECONDS = 2.0

# What the program needs from our environment: no secrets.
PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "LD_LIBRARY_PATH",
    "FONTCONFIG_PATH",
    "FONTCONFIG_FILE",
    "PLAYWRIGHT_BROWSERS_PATH",
    "NODE_EXTRA_CA_CERTS",
)


class ExtractorMissing(Exception):
    """There is no extractor to read an article; the message is for people."""


class NodeProcess:
    """A Node program of our own that is talked to. It dies with the thread that starts it."""

    def __init__(self, settings: Settings, command: Sequence[str] = ()) -> None:
        """Without a command, it is `ingest.mjs --serve`."""
        concurrency = str(max(4, settings.worker_concurrency))
        serve = [str(PROGRAM), "--serve", "--concurrency", concurrency]
        self.process = start_node(command or serve, settings)
        self._input, output, errors = streams_of(self.process)
        self.replies = io.BufferedReader(output)  # type: ignore[type-var]
        self._errors = threading.Thread(target=log_errors, args=(errors,), daemon=True)
        self._errors.start()
        logger.info("extractor started, pid %s", self.process.pid)

    @property
    def is_open(self) -> bool:
        return self.process.poll() is None

    def send(self, line: bytes) -> None:
        self._input.write(line)

    def finish(self) -> None:
        """No more articles: it exits when those in progress are done."""
        self._input.close()

    def abandon(self) -> None:
        """Close this process's copy of its input: it exits when nobody holds one any more."""
        self._input.close()

    def kill(self) -> None:
        kill_tree(self.process)

    def close(self) -> None:
        """Make sure that nothing of it is left."""
        self.kill()
        # A browser that is about to exit may still hold the other end.
        self._errors.join(_STDERR_SECONDS)
        self.replies.close()
        with contextlib.suppress(OSError):
            self._input.close()
        logger.info("extractor ended with status %s", self.process.returncode)


def streams_of(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """Its stdin, stdout and stderr, all of which are pipes."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def start_node(command: Sequence[str], settings: Settings) -> subprocess.Popen[bytes]:
    """Start Node in a session of its own, with unbuffered pipes to all three streams.

    Linux ends it with the thread that started it; elsewhere it ends when its input does.
    """
    node = shutil.which("node")
    if node is None:
        raise ExtractorMissing("Node.js is not installed: install version 20 or newer")
    return subprocess.Popen(
        bound_command([node, *command], stop_signal=signal.SIGKILL, parent=os.getpid()),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=_environment(settings),
        start_new_session=True,
    )


def _environment(settings: Settings) -> dict[str, str]:
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    ours = {
        "NEXUS_ENV": settings.env.value,
        "NEXUS_ALLOW_PRIVATE_HOSTS": ",".join(settings.allow_private_hosts),
        "NEXUS_CHROMIUM": str(settings.chromium or ""),
        "NEXUS_BROWSER_MEMORY_BYTES": str(settings.browser_memory_bytes),
    }
    return passed | ours


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill the process, its group, and its browser, which has a group of its own."""
    try:
        below = psutil.Process(process.pid).children(recursive=True)
    except psutil.Error:
        below = []
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    for child in below:
        with contextlib.suppress(psutil.Error):
            child.kill()
    process.wait()


def log_errors(stream: IO[bytes]) -> None:
    """Log what it writes to stderr, up to a limit; keep reading, so that it never blocks."""
    left = MAX_STDERR
    with io.BufferedReader(stream) as lines:  # type: ignore[type-var]
        while line := lines.readline(4096):
            if left > 0:
                logger.warning("extractor: %s", line.decode(errors="replace").rstrip())
            left -= len(line)


class CappedReader:
    """Reads a stream to its end in the background and keeps no more than `limit` bytes."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._stream, self._limit, self._kept = stream, limit, bytearray()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while part := self._stream.read(64 * 1024):
            self._kept += part[: self._limit - len(self._kept)]

    def finish(self) -> bytes:
        self._thread.join()
        self._stream.close()
        return bytes(self._kept)

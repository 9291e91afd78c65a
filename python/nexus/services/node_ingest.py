"""Drives the Node extractor, one process per article."""

import json
import os
import signal
import subprocess
from dataclasses import dataclass

from nexus.config import PROJECT_ROOT

_SCRIPT = PROJECT_ROOT / "node" / "ingest" / "ingest.mjs"
_TIMEOUT_EXIT = 10


class IngestTimeout(Exception):
    """The page took too long."""


class IngestFailed(Exception):
    """The page could not be fetched or read."""


@dataclass(frozen=True, slots=True)
class Extracted:
    final_url: str
    base_url: str
    title: str
    content_html: str


def extract(url: str, *, timeout_seconds: float = 40) -> Extracted:
    """Fetch a page and extract its article."""
    process = subprocess.Popen(
        ["node", str(_SCRIPT)],  # noqa: S607
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    request = json.dumps({"url": url, "timeout_ms": 30_000}).encode()
    try:
        stdout, stderr = process.communicate(request, timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise IngestTimeout("The page took too long to load.") from None
    if process.returncode:
        message = stderr.decode(errors="replace").strip().splitlines()[-1:]
        kind = IngestTimeout if process.returncode == _TIMEOUT_EXIT else IngestFailed
        raise kind(" ".join(message) or "The page could not be read.")
    return Extracted(**json.loads(stdout))

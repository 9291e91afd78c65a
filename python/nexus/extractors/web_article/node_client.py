"""Drives the Node extractor: one for each worker process, here or elsewhere, or one per article."""

import contextlib
import json
import subprocess

from nexus.child import wait_for_exit
from nexus.config import Settings, get_settings
from nexus.extractors.web_article.node_errors import (
    IngestError,
    IngestFailed,
    IngestInterrupted,
    IngestTimeout,
    failure,
)
from nexus.extractors.web_article.node_process import (
    MAX_STDERR,
    MAX_STDOUT,
    PROGRAM,
    CappedReader,
    ExtractorMissing,
    kill_tree,
    start_node,
    streams_of,
)
from nexus.extractors.web_article.node_server import (
    Extracted,
    ExtractorServer,
    extracted_from,
    request_for,
)
from nexus.extractors.web_article.node_shared import shared_extractor, stop

__all__ = ["Extracted", "ExtractorServer", "IngestError", "IngestFailed", "extract", "stop"]

WALL_CLOCK_SECONDS = 40.0
_EXIT_CODES = {10: "timeout", 13: "too_much_memory", 14: "interrupted", 15: "is_file"}


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
    with shared_extractor(settings) as server:
        return server.extract(url, timeout_seconds)


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
            requests.write(json.dumps(request_for(url, timeout_seconds)).encode())
            requests.close()
        code = wait_for_exit(process, timeout_seconds)
    except subprocess.TimeoutExpired:
        raise IngestTimeout("the page took too long to load") from None
    finally:
        kill_tree(process)
        text, complaints = output.finish(), errors.finish().decode(errors="replace")
    reason = (complaints.strip().splitlines() or ["the extractor stopped without a reason"])[-1]
    try:
        if code == 0:
            return extracted_from(json.loads(text))
        name = _EXIT_CODES.get(code, "interrupted" if code < 0 else "fetch_failed")
        raise failure(name, reason, json.loads(text)["url"] if name == "is_file" else None)
    except (ValueError, KeyError, TypeError):
        raise IngestFailed("the extractor sent an invalid reply") from None

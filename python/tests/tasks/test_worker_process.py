"""A real worker process takes a real message from a real Redis and finishes the item."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy.orm import Session

from nexus.config import PROJECT_ROOT
from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.services.extractors import maybe_enqueue_extraction
from tests.factories import make_user
from tests.live import wait_for
from tests.media_states import media_in, row
from tests.patience import PATIENCE_SECONDS
from tests.queues import a_document, extractor_for, forget_queued, queued_ingests


@contextmanager
def _worker(log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "celery", "-A", "apps.worker.main:celery_app", "worker"]
    options = ["--pool", "solo", "-Q", "ingest,default", "-I", "tests.tasks.worker_extractors"]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(PROJECT_ROOT), str(PROJECT_ROOT / "python")]),
        "NEXUS_LOG_LEVEL": "info",
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, *options],
            cwd=PROJECT_ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def _lines_about(log: Path, media_id: object) -> list[dict[str, Any]]:
    lines = [line for line in log.read_text().splitlines() if str(media_id) in line]
    return [json.loads(line) for line in lines if line.startswith("{")]


def _ready(media_id: UUID) -> bool:
    return bool(row(media_id)["processing_status"] == ProcessingStatus.READY_FOR_READING)


def test_a_worker_process_end_to_end(session: Session, tmp_path: Path) -> None:
    log, request_id = tmp_path / "worker.log", uuid4().hex
    forget_queued()
    kinds = (MediaKind.PODCAST_EPISODE, MediaKind.VIDEO)
    steady, stumbling = (
        media_in(session, make_user(session), ProcessingStatus.PENDING, kind=kind).id
        for kind in kinds
    )
    for kind, media_id in zip(kinds, (steady, stumbling), strict=True):
        with extractor_for(kind, lambda _: a_document()):
            assert maybe_enqueue_extraction(kind, media_id, request_id)
            assert maybe_enqueue_extraction(kind, media_id, request_id)
    with _worker(log) as process:
        wait_for(lambda: process.poll() is not None or _ready(steady))
        assert process.poll() is None, log.read_text()[-2000:]
        wait_for(lambda: _ready(stumbling))
        wait_for(lambda: not {str(steady), str(stumbling)} & queued_ingests().keys())
    assert process.returncode == 0, "the worker stops when asked"
    assert row(steady)["processing_attempts"] == 1, "the second delivery changed nothing"
    assert row(stumbling)["processing_attempts"] == 2
    started = [line for line in _lines_about(log, steady) if line["event"] == "ingest_started"]
    assert [line["request_id"] for line in started] == [request_id]

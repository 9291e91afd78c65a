"""`nexus add --wait` beside a worker, whose part the test plays."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from nexus.db.enums import FailureStage
from nexus.db.models import Fragment
from nexus.db.task_session import task_session
from nexus.services import media_lifecycle
from nexus.tasks.ingest import ingest_media
from tests.epub_files import a_book
from tests.live import LiveNexus
from tests.patience import PATIENCE_SECONDS


@contextmanager
def add_and_wait(
    nexus: LiveNexus, *, what: str | None = None, api_url: str | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """`nexus add` of an address nobody saved, or of a file, for an account of its own."""
    email = f"{uuid4().hex}@example.org"
    nexus.signed_up(email).close()
    url = what or f"https://example.org/{uuid4().hex}"
    with subprocess.Popen(
        [sys.executable, "-m", "nexus.cli.main", "add", url, "--wait", "--user", email],
        env=os.environ
        | {"NEXUS_API_URL": str(nexus.settings.api_url) if api_url is None else api_url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def claimed(process: "subprocess.Popen[str]") -> UUID:
    """The item, once the command has said that it waits and then that it is being read."""
    assert process.stdout is not None
    media_id, _, status = process.stdout.readline().partition("  ")
    assert status == "pending\n"
    with task_session() as session:
        assert media_lifecycle.worker_start_attempt(session, UUID(media_id))
    assert process.stdout.readline() == f"{media_id}  extracting\n"
    return UUID(media_id)


def read_book(process: "subprocess.Popen[str]") -> UUID:
    """The item, once a worker would have read it."""
    assert process.stdout is not None
    media_id, _, status = process.stdout.readline().partition("  ")
    assert status == "pending\n"
    ingest_media.apply(args=[media_id]).get()
    return UUID(media_id)


def test_it_says_every_state_and_what_there_is_to_read(nexus: LiveNexus) -> None:
    with add_and_wait(nexus) as process:
        media_id = claimed(process)
        with task_session() as session:
            text = "Five words to be read"
            session.add(
                Fragment(media_id=media_id, idx=0, html_sanitized=text, canonical_text=text)
            )
            media_lifecycle.mark_ready_for_reading(session, media_id)
        said, complaint = process.communicate(timeout=PATIENCE_SECONDS)
    state, summary = said.splitlines()
    assert state == f"{media_id}  ready_for_reading"
    assert summary.endswith("(5 words)")
    assert (process.returncode, complaint) == (0, "")


def test_a_file_is_added_as_an_upload_is(nexus: LiveNexus, tmp_path: Path) -> None:
    book = tmp_path / "The Tides.epub"
    book.write_bytes(a_book(f"<p>Words {uuid4()}.</p>"))
    with add_and_wait(nexus, what=str(book)) as process:
        media_id = read_book(process)
        said, complaint = process.communicate(timeout=PATIENCE_SECONDS)
    assert said.splitlines()[-2:] == [f"{media_id}  ready_for_reading", "A book (2 words)"]
    assert (process.returncode, complaint) == (0, "")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("gone.epub", "gone.epub: No such file or directory\n"),
        ("notes.txt", "notes.txt is not a PDF or EPUB file.\n"),
        ("empty.pdf", "size_bytes: the file is empty\n"),
    ],
)
def test_what_is_no_file_to_add(
    name: str, complaint: str, nexus: LiveNexus, tmp_path: Path
) -> None:
    for present in ("notes.txt", "empty.pdf"):
        (tmp_path / present).touch()
    with add_and_wait(nexus, what=str(tmp_path / name)) as process:
        said, complaints = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, said) == (1, "")
    assert complaints.removeprefix(f"{tmp_path}/") == complaint


def test_a_failure_is_its_exit_code(nexus: LiveNexus) -> None:
    with add_and_wait(nexus) as process:
        media_id = claimed(process)
        with task_session() as session:
            media_lifecycle.mark_failed(
                session, media_id, FailureStage.EXTRACT, "E_EXTRACTION_FAILED", "It broke."
            )
        said, complaint = process.communicate(timeout=PATIENCE_SECONDS)
    assert said == f"{media_id}  failed\n"
    assert (process.returncode, complaint) == (1, "E_EXTRACTION_FAILED: It broke.\n")


@pytest.mark.parametrize(
    ("api_url", "complaint"),
    [
        ("http://127.0.0.1:1", "Nexus is not responding: it may be starting."),
        ("", "Nexus is not running here. Start it with `make up`, or set NEXUS_API_URL."),
    ],
)
def test_without_a_nexus_to_ask_it_says_so(nexus: LiveNexus, api_url: str, complaint: str) -> None:
    with add_and_wait(nexus, api_url=api_url) as process:
        said, complaints = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, said) == (1, "")
    assert complaints.startswith(complaint)
    assert len(complaints.splitlines()) == 1

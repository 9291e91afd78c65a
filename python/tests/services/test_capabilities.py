"""derive_capabilities against the written table, over every combination of its inputs."""

import itertools

import pytest

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.services.capabilities import derive_capabilities

# One line per kind and situation: which of read highlight quote search hold (`rhqs`, `-` is no),
# without a file and with one. Situations: before text, text is there, failed.
TABLE = """
    kind             situation  no_file  file
    web_article      before     ----     ----
    web_article      text       rhqs     rhqs
    web_article      failed     ----     ----
    epub             before     ----     ----
    epub             text       rhqs     rhqs
    epub             failed     ----     ----
    pdf              before     ----     r---
    pdf              text       ----     rhqs
    pdf              failed     ----     r---
    video            before     ----     ----
    video            text       rhqs     rhqs
    video            failed     ----     ----
    podcast_episode  before     ----     ----
    podcast_episode  text       rhqs     rhqs
    podcast_episode  failed     ----     ----
"""
# What plays, given that there is something to play.
PLAYS = """
    kind             before  text  failed  failed_without_transcript
    web_article      no      yes   no      yes
    epub             no      yes   no      yes
    pdf              no      yes   no      yes
    video            yes     yes   yes     yes
    podcast_episode  yes     yes   yes     yes
"""
SITUATION = {
    "pending": "before",
    "extracting": "before",
    "ready_for_reading": "text",
    "embedding": "text",
    "ready": "text",
    "failed": "failed",
}
ERROR_CODES = (
    None,
    "E_TRANSCRIPT_UNAVAILABLE",
    "E_UPLOAD_FAILED",
    "E_EXTRACTION_FAILED",
    "E_JOB_TIMEOUT",
    "E_EMBEDDING_FAILED",
    "E_INGEST_FAILED",
)
NO_TRANSCRIPT = "E_TRANSCRIPT_UNAVAILABLE"


def _rows(table: str) -> list[dict[str, str]]:
    names, *rows = (line.split() for line in table.strip().splitlines())
    return [dict(zip(names, row, strict=True)) for row in rows]


READING = {(line["kind"], line["situation"]): line for line in _rows(TABLE)}
PLAYING = {line["kind"]: line for line in _rows(PLAYS)}


def test_the_tables_are_complete() -> None:
    assert {kind for kind, _ in READING} == set(PLAYING) == {kind.value for kind in MediaKind}
    assert SITUATION.keys() == {status.value for status in ProcessingStatus}
    assert len(READING) == len(MediaKind) * 3


@pytest.mark.parametrize("kind", MediaKind)
@pytest.mark.parametrize("status", ProcessingStatus)
def test_every_combination(kind: MediaKind, status: ProcessingStatus) -> None:
    for code, has_file, has_url in itertools.product(ERROR_CODES, (False, True), (False, True)):
        derived = derive_capabilities(
            kind=kind,
            status=status,
            last_error_code=code,
            has_file=has_file,
            has_playback_url=has_url,
        )
        expected = _expected(kind.value, SITUATION[status.value], code, has_file, has_url)
        assert derived.model_dump() == expected, (code, has_file, has_url)


def _expected(
    kind: str, situation: str, code: str | None, has_file: bool, has_url: bool
) -> dict[str, bool]:
    letters = READING[kind, situation]["file" if has_file else "no_file"]
    without_transcript = situation == "failed" and code == NO_TRANSCRIPT
    plays = PLAYING[kind]["failed_without_transcript" if without_transcript else situation]
    return {
        "can_read": "r" in letters,
        "can_highlight": "h" in letters,
        "can_quote": "q" in letters,
        "can_search": "s" in letters,
        "can_play": has_url and plays == "yes",
        "can_download_file": has_file,
    }


@pytest.mark.parametrize("code", ["E_PDF_PASSWORD", "E_PDF_INVALID"])
def test_a_pdf_that_nothing_opens_is_only_kept(code: str) -> None:
    derived = derive_capabilities(
        kind=MediaKind.PDF,
        status=ProcessingStatus.FAILED,
        last_error_code=code,
        has_file=True,
        has_playback_url=False,
    )
    assert [name for name, holds in derived.model_dump().items() if holds] == ["can_download_file"]


@pytest.mark.parametrize("kind", MediaKind)
def test_a_scan_or_comic_reads_and_has_nothing_to_highlight(kind: MediaKind) -> None:
    derived = derive_capabilities(
        kind=kind,
        status=ProcessingStatus.READY_FOR_READING,
        last_error_code=None,
        has_file=True,
        has_playback_url=False,
        has_words=False,
    )
    has_text = kind not in (MediaKind.PDF, MediaKind.EPUB)
    assert derived.can_read
    assert (derived.can_highlight, derived.can_quote, derived.can_search) == (has_text,) * 3

"""CSV as Readwise imports it."""

import csv
import io
from datetime import UTC, datetime

import pytest
from sqlalchemy.orm import Session

from nexus.schemas.exports import ExportFormat
from tests.export.exporting import exported, mark
from tests.factories import make_article, make_user

MADE = datetime(2026, 5, 1, 10, 0, 7, 123456, tzinfo=UTC)


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def test_a_row_for_each_highlight_in_reading_order(session: Session) -> None:
    ada, bo = make_user(session), make_user(session)
    text = 'One "quoted", comma.\nTwo 🙂 lines.'
    article = make_article(
        session, ada, title="A title, with", text=text, authors=["Ann Author", "Bo Writer"]
    )
    mark(session, ada, article, 21, 33, created_at=MADE)
    mark(session, ada, article, 0, 26, note="mine\nstill", created_at=MADE)
    mark(session, bo, article, 3, 9)
    data, _ = exported(session, ada, ExportFormat.READWISE)
    url = "https://example.org/article"
    date = "2026-05-01 10:00:07+00:00"
    assert rows(data) == [
        ["Highlight", "Title", "Author", "URL", "Note", "Location", "Date"],
        [text[0:26], "A title, with", "Ann Author, Bo Writer", url, "mine\nstill", "0", date],
        [text[21:33], "A title, with", "Ann Author, Bo Writer", url, "", "21", date],
    ]
    assert data.startswith(b"Highlight,Title,Author,URL,Note,Location,Date\r\n")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_no_cell_is_a_formula(session: Session, start: str) -> None:
    ada = make_user(session)
    hostile = f"{start}HYPERLINK(1)"
    article = make_article(session, ada, title=f"{hostile} title", text=hostile)
    mark(session, ada, article, 0, len(hostile), note=hostile)
    data, _ = exported(session, ada, ExportFormat.READWISE)
    [_, row] = rows(data)
    assert [row[0], row[1], row[4]] == [f" {hostile}", f" {hostile} title", f" {hostile}"]

"""PDFs in a real browser: read, highlighted, and found again."""

import pytest
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from tests import pdf_files
from tests.e2e.pdf_reading import PdfReading, open_pdf, store_pdf
from tests.e2e.reading import Person


@pytest.fixture
def paper(session: Session, reader: Person) -> PdfReading:
    return open_pdf(reader, store_pdf(session, reader, pdf_files.plain(3)))


def test_a_mouse_drag_and_a_colour_make_a_highlight(paper: PdfReading) -> None:
    paper.expect_drawn(1)
    passage = "Sentence 2 says"
    paper.drag(passage)
    paper.bar.get_by_role("button", name="Highlight in green").click()
    paper.expect_painted((passage, "green"))
    paper.expect_saved()
    paper.page.reload()
    paper.expect_painted((passage, "green"))

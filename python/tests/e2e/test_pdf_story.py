"""A PDF from the file on somebody's disk to highlights that are the same everywhere."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from nexus.tasks.ingest import ingest_media
from tests.e2e.acting import item_id, row
from tests.e2e.pdf_reading import PdfReading
from tests.e2e.reading import Person
from tests.pdf_files import river_book

pytestmark = pytest.mark.heavy

OVER_THE_BREAK = "old people say, and one exam- ple of its course is told"
OVERLAPPING = "its course is told at every fire"
MADE_IN_TEXT = "for example in the winter"
# What is drawn, cut where highlights overlap; pages are drawn one by one.
ON_PAGES = [
    ("old people say, and one exam-", "blue"),
    ("ple of", "blue"),
    ("its course is told", "blue"),
    ("at every fire", "blue"),
    (MADE_IN_TEXT, "pink"),
]
IN_TEXT = [("old people say, and one exam-ple of", "blue"), *ON_PAGES[2:]]


def chosen_in_the_app(session: Session, person: Person, file: Path) -> Fragment:
    """Upload a file as a person does; a worker reads it."""
    page = person.page()
    page.goto(person.nexus.origin)
    page.get_by_role("button", name="Add", exact=True).click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="PDF or EPUB").click()
    chooser.value.set_files(file)
    expect(page.get_by_role("region", name="Uploads")).to_contain_text("Uploaded.")
    media_id = item_id(row(page, file.stem))
    ingest_media(str(media_id))
    page.close()
    return session.scalars(select(Fragment).where(Fragment.media_id == media_id)).one()


def drag_over_the_break(reading: PdfReading) -> None:
    """From the foot of the first page to the head of the second, over the empty paper between."""
    reading.edges("ple of its course is told")
    reading.page.evaluate("() => window.scrollBy({ top: -200, behavior: 'instant' })")
    reading.settle()
    first = reading.edges("old people say", scroll=False)["from"]
    last = reading.edges("ple of its course is told", scroll=False)["to"]
    mouse = reading.page.mouse
    mouse.move(*first)
    mouse.down()
    mouse.move(*last, steps=20)
    mouse.up()


def show(page: Page, view: str) -> None:
    names = {"pages": "Show the pages", "text": "Show as running text"}
    page.get_by_role("button", name=names[view]).click()


def test_from_the_upload_to_the_same_highlights_everywhere(
    session: Session, reader: Person, tmp_path: Path
) -> None:
    file = tmp_path / "Of rivers.pdf"
    file.write_bytes(river_book())
    article = chosen_in_the_app(session, reader, file)
    reading = PdfReading(reader, reader.page(), article)
    page = reading.page
    page.goto(reader.nexus.origin)
    row(page, "Of rivers").get_by_role("link", name="Of rivers").click()
    reading.expect_drawn("i")

    reading.go_to("ii")
    reading.expect_drawn("ii")
    drag_over_the_break(reading)
    reading.bar.get_by_role("button", name="Highlight in blue").click()
    reading.expect_painted(*ON_PAGES[:1], ("ple of its course is told", "blue"))
    reading.drag(OVERLAPPING)
    reading.bar.get_by_role("button", name="Highlight with a note").click()
    page.get_by_role("textbox", name="Note").fill("As the old people do.")
    page.keyboard.press("Escape")
    reading.expect_painted(*ON_PAGES[:-1])

    show(page, "text")
    reading.expect_painted(*IN_TEXT[:-1])
    # What comes near the screen is laid out only now, and moves what is below it.
    reading.edges(MADE_IN_TEXT)
    reading.settle()
    reading.drag(MADE_IN_TEXT)
    reading.bar.get_by_role("button", name="Highlight in pink").click()
    reading.expect_painted(*IN_TEXT)
    reading.expect_sent()
    show(page, "pages")
    reading.expect_painted(*ON_PAGES)

    for view, painted in (("pages", ON_PAGES), ("text", IN_TEXT)):
        if view == "text":
            show(page, view)
        page.reload()
        reading.expect_painted(*painted)
        expect(reading.cards.filter(has_text="As the old people do.")).to_have_count(1)
        expect(reading.cards).to_have_count(3)
    made = [(one["exact"], one["color"]) for one in reader.highlights(article)]
    assert made == [(OVER_THE_BREAK, "blue"), (OVERLAPPING, "blue"), (MADE_IN_TEXT, "pink")]

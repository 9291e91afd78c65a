"""Bringing files of other apps along: preview, progress, stop, undo and the report."""

import re
from uuid import UUID

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Page, expect

from tests.e2e.acting import row, serious_problems, visit
from tests.e2e.conftest import Watched
from tests.imported import run_to_the_end

BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE>
<DL><p>
  <DT><H3>Sea</H3>
  <DL><p>
    <DT><A HREF="https://example.org/tides" ADD_DATE="1600000000" TAGS="moon">On tides</A>
    <DT><A HREF="https://example.org/harbours" ADD_DATE="1600000001">Harbours</A>
    <DT><A HREF="javascript:alert(1)">A bookmarklet</A>
  </DL><p>
</DL><p>
"""
READWISE = """Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags
The sea is never still.,On the Sea,A. Writer,B000000000,so true,yellow,idea,page,12,2024-05-01 10:00:00+00:00,
Harbours wait.,On the Sea,A. Writer,B000000000,,blue,,page,20,2024-05-02 10:00:00+00:00,
"""  # noqa: E501


def choose_file(tab: Page, name: str, text: str) -> None:
    file = FilePayload(name=name, mimeType="application/octet-stream", buffer=text.encode())
    tab.get_by_label("File to import").set_input_files(file)


def preview(tab: Page, name: str, text: str) -> UUID:
    """Have a file looked at; returns the import."""
    choose_file(tab, name, text)
    expect(tab.get_by_role("heading", name=name, level=1)).to_be_visible()
    return UUID(tab.url.rpartition("/")[2])


def fits(tab: Page) -> bool:
    width, room = tab.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return bool(width <= room)


@pytest.mark.usefixtures("person")
def test_bookmarks_are_previewed_and_imported(page: Watched) -> None:
    tab = page.page
    visit(tab)
    tab.keyboard.press("a")
    tab.get_by_role("link", name="Import bookmarks and highlights").click()
    expect(tab.get_by_role("heading", name="Import", level=1)).to_be_visible()
    expect(tab.get_by_text("My Clippings.txt")).to_be_visible()
    assert serious_problems(tab) == []
    import_id = preview(tab, "bookmarks.html", BOOKMARKS)
    main = tab.get_by_role("main")
    expect(main.get_by_text("Bookmarks", exact=True)).to_be_visible()
    expect(main.get_by_text("On tides")).to_be_visible()
    main.get_by_text("1 line will be skipped").click()
    main.get_by_label("Library").select_option("New library…")
    main.get_by_label("Name of the new library").fill("Brought along")
    tab.keyboard.press("Enter")
    expect(main.get_by_label("Library").locator("option:checked")).to_have_text("Brought along")
    main.get_by_label("Add tags").fill("imported")
    for width in (320, 1280):
        tab.set_viewport_size({"width": width, "height": 800})
        assert fits(tab)
        assert serious_problems(tab) == []
    main.get_by_role("button", name="Import 2 items").click()
    expect(main.get_by_role("heading", name="Importing…")).to_be_visible()
    assert serious_problems(tab) == []
    run_to_the_end(import_id)
    expect(main.get_by_role("heading", name=re.compile("^Imported"))).to_be_visible()
    expect(main.get_by_role("listitem").filter(has_text="items in your library")).to_contain_text(
        "2"
    )
    with tab.expect_download() as download:
        main.get_by_role("link", name="Download the report").click()
    report = download.value.path().read_text()
    assert "A bookmarklet" in report or "javascript:" in report
    main.get_by_role("link", name="Open the library").click()
    for title in ("On tides", "Harbours"):
        expect(row(tab, title).get_by_role("link", name="imported")).to_be_visible()
    expect(row(tab, "On tides").get_by_role("link", name="moon")).to_be_visible()
    expect(tab.get_by_role("complementary").get_by_role("link", name="Sea")).to_be_visible()


@pytest.mark.heavy
@pytest.mark.usefixtures("person")
def test_highlights_without_a_text_are_listed_with_their_book(page: Watched) -> None:
    tab = page.page
    visit(tab, "/import")
    import_id = preview(tab, "readwise.csv", READWISE)
    main = tab.get_by_role("main")
    expect(main.get_by_text("Readwise", exact=True)).to_be_visible()
    main.get_by_role("button", name="Import 1 item and 2 highlights").click()
    expect(main.get_by_role("heading", name="Importing…")).to_be_visible()
    run_to_the_end(import_id)
    expect(main.get_by_role("heading", name=re.compile("^Imported"))).to_be_visible()
    visit(tab, "/all")
    row(tab, "On the Sea").get_by_role("heading").get_by_role("link").click()
    card = tab.get_by_role("main").get_by_role("listitem").filter(has_text="The sea is never still")
    expect(card).to_contain_text("so true")
    expect(card).to_contain_text("p. 12")
    assert serious_problems(tab) == []
    card.get_by_role("button", name="Delete").click()
    expect(card).to_have_count(0)
    tab.get_by_role("button", name="Undo").click()
    expect(card).to_be_visible()


@pytest.mark.heavy
@pytest.mark.usefixtures("person")
def test_a_file_that_cannot_be_used_is_refused_in_words(
    page: Watched, context: BrowserContext
) -> None:
    tab = page.page
    page.expected_statuses |= {400}
    visit(tab, "/import")
    choose_file(tab, "notes.txt", "Dear diary, nothing of this is a format.")
    refusal = tab.get_by_role("alert")
    expect(refusal).to_contain_text("does not recognise this file")
    expect(refusal).to_contain_text("Pocket")
    assert serious_problems(tab) == []
    choose_file(tab, "empty.csv", "")
    expect(refusal).to_contain_text("This file is empty.")
    choose_file(tab, "book.pdf", "%PDF-1.4")
    expect(refusal).to_contain_text("use Add")
    context.set_offline(True)
    choose_file(tab, "bookmarks.html", BOOKMARKS)
    expect(refusal).to_contain_text("Nexus cannot be reached")
    context.set_offline(False)
    preview(tab, "bookmarks.html", BOOKMARKS)
    tab.get_by_role("button", name="Discard").click()
    expect(tab.get_by_role("heading", name="Import", level=1)).to_be_visible()
    expect(tab.get_by_role("heading", name="Your imports")).to_have_count(0)
    page.complaints.clear()


@pytest.mark.usefixtures("person")
def test_an_import_is_stopped_resumed_and_undone(page: Watched) -> None:
    tab = page.page
    visit(tab, "/import")
    import_id = preview(tab, "bookmarks.html", BOOKMARKS)
    main = tab.get_by_role("main")
    main.get_by_role("button", name="Import 2 items").click()
    main.get_by_role("button", name="Stop").click()
    expect(main.get_by_role("heading", name="Stopped")).to_be_visible()
    main.get_by_role("button", name="Resume").click()
    expect(main.get_by_role("heading", name="Importing…")).to_be_visible()
    run_to_the_end(import_id)
    main.get_by_role("button", name="Undo this import").click()
    dialog = tab.get_by_role("dialog", name="Undo this import?")
    expect(dialog).to_contain_text("Goes:")
    expect(dialog).to_contain_text("Stays:")
    assert serious_problems(tab) == []
    dialog.get_by_role("button", name="Undo import").click()
    expect(main.get_by_role("heading", name="Undone")).to_be_visible()
    main.get_by_role("link", name="All imports").click()
    expect(main.get_by_role("listitem").filter(has_text="bookmarks.html")).to_contain_text("Undone")
    visit(tab, "/all")
    expect(row(tab, "Harbours")).to_have_count(0)


@pytest.mark.heavy
@pytest.mark.usefixtures("person")
def test_a_file_dropped_on_the_page_is_imported_and_not_uploaded(page: Watched) -> None:
    tab = page.page
    visit(tab, "/import")
    make = "([name, text]) => { const d = new DataTransfer(); d.items.add(new File([text], name)); return d; }"  # noqa: E501
    data = tab.evaluate_handle(make, ["bookmarks.html", BOOKMARKS])
    tab.dispatch_event("body", "dragenter", {"dataTransfer": data})
    expect(tab.get_by_text("Drop to import")).to_be_visible()
    tab.dispatch_event("body", "drop", {"dataTransfer": data})
    expect(tab.get_by_role("heading", name="bookmarks.html", level=1)).to_be_visible()
    expect(tab.get_by_role("heading", name="Uploads")).to_have_count(0)

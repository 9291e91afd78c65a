"""Files into the library: dropped or chosen, watched, cancelled, refused, retried, fetched back."""

from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.e2e.acting import drop_files, row, visit
from tests.e2e.conftest import Person, Watched


def pdf() -> str:
    """The start of a PDF that no other test has."""
    return f"%PDF-1.7\n{uuid4().hex}"


def test_a_dropped_pdf_is_kept_and_can_be_fetched_back(
    page: Watched, person: Person, tmp_path: Path
) -> None:
    tab, content = page.page, pdf()
    visit(tab)
    drop_files(tab, ("Tide tables.pdf", content))
    panel = tab.get_by_role("region", name="Uploads")
    expect(panel).to_contain_text("Uploaded.")
    expect(row(tab, "Tide tables").get_by_text("Ready")).to_be_visible()
    expect(tab.get_by_role("log")).to_contain_text("Tide tables.pdf was uploaded.")
    panel.get_by_role("link", name="Open").click()
    expect(tab.get_by_role("link", name="Read", exact=True)).to_be_visible()
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Download file").click()
    assert download.value.suggested_filename == "Tide tables.pdf"
    kept = tmp_path / "kept.pdf"
    download.value.save_as(kept)
    assert kept.read_text() == content

    # The reader says what is wrong with it, instead of waiting for pages that never come.
    media_id = tab.url.rpartition("/")[2]
    tab.goto(f"/read/{media_id}")
    expect(tab.get_by_role("heading", level=1, name="Tide tables")).to_be_visible()
    expect(tab.get_by_role("alert").filter(has_text="This file is damaged")).to_be_visible()
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Download file").click()
    assert download.value.suggested_filename == "Tide tables.pdf"

    visit(tab)

    drop_files(tab, ("Again.pdf", content))
    expect(panel).to_contain_text("Already in your library.")
    tab.get_by_role("link", name="All items", exact=True).click()
    expect(row(tab, "Tide tables")).to_have_count(1)
    expect(row(tab, "Again")).to_have_count(0)


@pytest.mark.heavy
def test_what_cannot_be_kept_is_refused_before_a_byte_is_sent(
    page: Watched, person: Person
) -> None:
    tab = page.page
    visit(tab)
    sent: list[str] = []
    tab.on("request", lambda request: sent.append(request.url))
    drop_files(tab, ("notes.txt", "hello"), ("empty.pdf", ""))
    panel = tab.get_by_role("region", name="Uploads")
    expect(panel.get_by_role("listitem")).to_have_count(2)
    expect(panel).to_contain_text("Only PDF and EPUB files can be uploaded.")
    expect(panel).to_contain_text("This file is empty.")
    assert not [url for url in sent if "/api/media/upload" in url]
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)


def test_a_wrong_file_is_told_and_another_one_mends_it(
    page: Watched, person: Person, tmp_path: Path
) -> None:
    tab = page.page
    visit(tab)
    drop_files(tab, ("Tide tables.pdf", "only text"))
    panel = tab.get_by_role("region", name="Uploads")
    expect(panel).to_contain_text("This file is not in PDF format")
    failed = row(tab, "Could not be read: This file is not in PDF format")
    right = tmp_path / "right.pdf"
    right.write_text(pdf())
    with tab.expect_file_chooser() as chooser:
        failed.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(right)
    expect(panel).to_contain_text("Uploaded.")
    expect(row(tab, "Tide tables").filter(has_text="just now").get_by_text("Ready")).to_be_visible()
    expect(row(tab, "Could not be read")).to_have_count(0)


def test_two_go_at_a_time_and_any_can_be_cancelled(page: Watched, person: Person) -> None:
    tab = page.page
    visit(tab)
    tab.route("**/storage/**", lambda route: None)
    drop_files(tab, *((f"{name}.pdf", pdf()) for name in ("First", "Second", "Third")))
    panel = tab.get_by_role("region", name="Uploading 3 of 3")
    expect(panel.get_by_role("progressbar")).to_have_count(2)
    expect(panel).to_contain_text("Queued")
    expect(row(tab, "First").filter(has_text="Uploading")).to_be_visible()
    tab.get_by_role("button", name="Cancel First.pdf").click()
    expect(
        tab.get_by_role("region", name="Uploading 2 of 2").get_by_role("progressbar")
    ).to_have_count(2)
    expect(row(tab, "First")).to_have_count(0)
    tab.unroute("**/storage/**")  # lets go of what it held
    expect(tab.get_by_role("region", name="Uploads").get_by_text("Uploaded.")).to_have_count(2)
    tab.reload()
    expect(row(tab, "Third").get_by_text("Ready")).to_be_visible()
    expect(row(tab, "First")).to_have_count(0)


def test_an_upload_that_breaks_off_is_tried_again_for_the_same_item(
    page: Watched, person: Person
) -> None:
    tab = page.page
    visit(tab)
    tab.route("**/storage/**", lambda route: route.fulfill(status=503, body="{}"), times=1)
    page.expected_statuses.add(503)
    drop_files(tab, ("Tide tables.pdf", pdf()))
    panel = tab.get_by_role("region", name="Uploads")
    expect(panel).to_contain_text("The storage refused the file (503).")
    tab.get_by_role("button", name="Try Tide tables.pdf again").click()
    expect(panel).to_contain_text("Uploaded.")
    expect(row(tab, "Tide tables").get_by_text("Ready")).to_be_visible()

"""Taking things along: downloads in every format, one item, a selection, and the clipboard."""

import json
import re
import zipfile

import pytest
from playwright.sync_api import Download, Locator, Page, expect
from sqlalchemy.orm import Session

from tests.e2e.acting import choose, row, serious_problems, visit
from tests.e2e.reading import Person, make_article
from tests.live import wait_for

TEXT = "<p>Tides follow the moon, and harbours follow the tides.</p>" * 3


def export(tab: Page, within: Locator, format: str) -> Download:
    within.get_by_role("radio", name=format).check()
    with tab.expect_download() as started:
        within.get_by_role("button", name="Export", exact=True).click()
    expect(within.get_by_text("is in your downloads")).to_be_visible()
    return started.value


def content(download: Download) -> str:
    return download.path().read_text()


def two_articles(session: Session, reader: Person) -> None:
    for title in ("On tides", "On harbours"):
        article = make_article(session, reader, TEXT, title=title)
        reader.highlight(article, 0, 21, "yellow")


def test_everything_is_exported_in_every_format(reader: Person, session: Session) -> None:
    two_articles(session, reader)
    tab = reader.page()
    tab.goto(f"{reader.nexus.origin}/settings")
    section = tab.get_by_role("region", name="Export")
    for format in ("Nexus archive", "Markdown"):
        with zipfile.ZipFile(export(tab, section, format).path()) as archive:
            assert archive.testzip() is None
            assert any(
                "tides" in archive.read(name).decode("utf-8", "replace")
                for name in archive.namelist()
            )
    assert "Tides follow the moon" in content(export(tab, section, "Readwise CSV"))
    json.loads(content(export(tab, section, "Web Annotations")))
    assert "NETSCAPE-Bookmark-file" in content(export(tab, section, "Bookmarks"))
    assert serious_problems(tab) == []


def test_markdown_is_written_by_a_template_of_ones_own(reader: Person, session: Session) -> None:
    two_articles(session, reader)
    tab = reader.page()
    tab.goto(f"{reader.nexus.origin}/settings")
    section = tab.get_by_role("region", name="Export")
    section.get_by_role("radio", name="Markdown").check()
    section.get_by_text("Template").first.click()
    field = section.get_by_label("Each file is written by this template")
    expect(field).not_to_have_value("")
    usual = field.input_value()
    field.fill("My own words")
    tab.reload()
    section.get_by_role("radio", name="Markdown").check()
    with zipfile.ZipFile(export(tab, section, "Markdown").path()) as archive:
        assert any("My own words" in archive.read(name).decode() for name in archive.namelist())
    section.get_by_text("Template").first.click()
    field.fill("{{ broken")
    section.get_by_role("button", name="Export", exact=True).click()
    expect(section.get_by_role("alert")).to_contain_text("Not exported.")
    section.get_by_role("button", name="Reset to the default").click()
    expect(field).to_have_value(usual)
    reader.problems.clear()


@pytest.mark.heavy
def test_an_item_and_a_selection_are_exported_from_the_list(
    reader: Person, session: Session
) -> None:
    two_articles(session, reader)
    tab = reader.page()
    tab.goto(reader.nexus.origin)
    choose(tab, "On tides", "Export…")
    dialog = tab.get_by_role("dialog", name="Export “On tides”")
    words = content(export(tab, dialog, "Readwise CSV"))
    assert "On tides" in words
    assert "On harbours" not in words
    assert serious_problems(tab) == []
    dialog.get_by_role("button", name="Close").click()
    for title in ("On tides", "On harbours"):
        row(tab, title).get_by_role("checkbox").check()
    tab.get_by_role("button", name="More actions for the selection").click()
    tab.get_by_role("menuitem", name="Export…").click()
    dialog = tab.get_by_role("dialog", name="Export 2 items")
    words = content(export(tab, dialog, "Readwise CSV"))
    assert "On tides" in words
    assert "On harbours" in words


def test_an_export_can_be_cancelled(reader: Person, session: Session) -> None:
    two_articles(session, reader)
    tab = reader.page()
    tab.route(re.compile("/api/exports$"), lambda _: None)
    tab.goto(f"{reader.nexus.origin}/settings")
    section = tab.get_by_role("region", name="Export")
    section.get_by_role("button", name="Export", exact=True).click()
    expect(section.get_by_role("progressbar")).to_be_visible()
    section.get_by_role("button", name="Cancel").click()
    expect(section.get_by_role("progressbar")).to_have_count(0)
    expect(section.get_by_role("button", name="Export", exact=True)).to_be_enabled()


@pytest.mark.parametrize(
    "format", ["Markdown", pytest.param("plain text", marks=pytest.mark.heavy)]
)
def test_highlights_are_copied_with_their_source(
    reader: Person, session: Session, format: str
) -> None:
    two_articles(session, reader)
    article = make_article(session, reader, TEXT, title="On moons")
    reader.highlight(article, 0, 21, "pink")
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = reader.page()

    def copied() -> str:
        toast = tab.get_by_role("region", name="Messages").get_by_text(f"as {format}")
        expect(toast.last).to_be_visible()
        # An earlier message may still be shown, so the clipboard tells when it is done.
        wait_for(lambda: tab.evaluate("navigator.clipboard.readText()"), what="a copied text")
        text: str = tab.evaluate("navigator.clipboard.readText()")
        tab.evaluate("navigator.clipboard.writeText('')")
        return text

    tab.goto(reader.nexus.origin)
    choose(tab, "On moons", f"Copy highlights as {format}")
    text = copied()
    assert "On moons" in text
    assert "Tides follow the moon" in text
    row(tab, "On moons").get_by_role("heading").get_by_role("link").click()
    expect(tab.locator("article section")).not_to_be_empty()
    tab.keyboard.press("j")
    tab.get_by_role("button", name="Copy this highlight").click()
    assert serious_problems(tab) == []
    tab.get_by_role("menuitem", name=f"Copy as {format}").click()
    assert "On moons" in copied()
    tab.goto(f"{reader.nexus.origin}/highlights")
    tab.get_by_role("button", name=f"Copy as {format}").click()
    text = copied()
    assert all(title in text for title in ("On moons", "On tides", "On harbours"))
    tab.get_by_role("button", name="Show pink").click()
    expect(tab.get_by_role("heading", name="On tides")).to_have_count(0)
    expect(tab).to_have_url(re.compile(r"/highlights\?color=pink$"))
    tab.get_by_role("button", name=f"Copy as {format}").click()
    text = copied()
    assert "On moons" in text
    assert "On tides" not in text


@pytest.mark.heavy
def test_nothing_is_copied_from_an_item_without_highlights(
    reader: Person, session: Session
) -> None:
    make_article(session, reader, TEXT, title="Unmarked")
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = reader.page()
    visit(tab, reader.nexus.origin)
    tab.evaluate("navigator.clipboard.writeText('kept')")
    choose(tab, "Unmarked", "Copy highlights as Markdown")
    expect(tab.get_by_text("There are no highlights to copy.")).to_be_visible()
    assert tab.evaluate("navigator.clipboard.readText()") == "kept"

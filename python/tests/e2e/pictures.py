"""The pictures in the README, taken of the real app: `make pictures`."""

import os
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright
from selectolax.lexbor import LexborHTMLParser

from nexus.config import PROJECT_ROOT
from nexus.db.enums import ProcessingStatus
from nexus.db.models import Fragment
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import sanitize_html
from nexus.services.viewer import Viewer
from nexus.tasks.ingest import ingest_media
from tests import conftest
from tests.api.uploads import announcement
from tests.browser import ARGUMENTS, find_chromium
from tests.e2e import picture_book
from tests.e2e.picture_book import lamp_book
from tests.factories import make_media
from tests.highlights import highlight_body
from tests.live import PASSWORD, LiveNexus, live_nexus

FOLDER = PROJECT_ROOT / "docs" / "pictures"
PAGES = PROJECT_ROOT / "python" / "tests" / "fixtures" / "pages"
VIEWS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 760}, "color_scheme": "light"},
}
# With room for the contents beside the text.
WIDE: dict[str, Any] = {"viewport": {"width": 1400, "height": 875}, "color_scheme": "light"}
PRINT = "body { font: 12pt/1.5 serif; } img { display: none; } a { color: inherit; }"
# Two passages of the PDF.
HIGHLIGHTS = {
    "yellow": "says when the water is highest and lowest, and by how much",
    "blue": "highest and lowest, and by how much. It does not say what you will find",
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    conftest._start_servers()
    conftest._point_settings_at_test_servers("main")
    chromium = find_chromium()
    try:
        with live_nexus() as nexus, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium.path,
                args=list(ARGUMENTS),
                env={**os.environ, **chromium.env},
            )
            for name in VIEWS:
                take(nexus, browser, name)
            take_pdf(nexus, browser)
            take_book(nexus, browser)
            browser.close()
    finally:
        conftest._servers.close()


def take(nexus: LiveNexus, browser: Browser, name: str) -> None:
    """The library and the reader, as one person sees them."""
    context = browser.new_context(base_url=nexus.origin, reduced_motion="reduce", **VIEWS[name])
    sample = sign_up(nexus, context)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_text("Welcome to Nexus")).to_be_visible()
    page.screenshot(path=FOLDER / f"library-{name}.png")
    page.goto(f"/read/{sample}")
    expect(page.get_by_role("heading", name="Highlight", exact=True)).to_be_visible()
    below = page.get_by_role("heading", name="Write", exact=True)
    below.scroll_into_view_if_needed()
    expect(below).to_be_in_viewport()
    page.screenshot(path=FOLDER / f"reader-{name}.png")
    context.close()


def take_pdf(nexus: LiveNexus, browser: Browser) -> None:
    """A PDF with highlights, as it is printed."""
    context = browser.new_context(
        base_url=nexus.origin, reduced_motion="reduce", **VIEWS["desktop"]
    )
    sign_up(nexus, context)
    media_id = add_file(nexus, context, printed(browser), "Tide tables.pdf", HIGHLIGHTS)
    page = context.new_page()
    page.goto(f"/read/{media_id}")
    expect(page.locator(".pdf-text-end").first).to_be_attached()
    expect(page.get_by_role("complementary").get_by_role("listitem")).to_have_count(2)
    page.screenshot(path=FOLDER / "pdf-desktop.png")
    context.close()


def take_book(nexus: LiveNexus, browser: Browser) -> None:
    """A book with a note open where it is referred to."""
    context = browser.new_context(base_url=nexus.origin, reduced_motion="reduce", **WIDE)
    sign_up(nexus, context)
    name = "The Lamp on the Quay.epub"
    media_id = add_file(nexus, context, lamp_book(), name, picture_book.HIGHLIGHTS)
    page = context.new_page()
    page.goto(f"/read/{media_id}")
    expect(page.get_by_role("complementary").get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("navigation", name="Contents")).to_be_visible()
    page.get_by_role("link", name="1", exact=True).first.click()
    expect(page.get_by_role("dialog", name="Note 1")).to_be_visible()
    page.screenshot(path=FOLDER / "book-desktop.png")
    context.close()


def printed(browser: Browser) -> bytes:
    """The longest of the pages as a PDF."""
    page = browser.new_page()
    page.set_content((PAGES / "tide-tables.html").read_text())
    page.add_style_tag(content=PRINT)
    data = page.pdf(
        format="A5", margin={"top": "2cm", "bottom": "2cm", "left": "2cm", "right": "2cm"}
    )
    page.close()
    return data


def add_file(
    nexus: LiveNexus, context: BrowserContext, data: bytes, name: str, highlights: dict[str, str]
) -> str:
    """Upload a file, read it as a worker does, and highlight passages of its first text."""
    send, headers = context.request, {"Origin": nexus.origin}
    announced = announcement(data, name.rpartition(".")[2], filename=name)
    target = send.post("/api/media/upload/init", data=announced, headers=headers).json()["data"]
    send.put(target["upload_url"], data=data, headers={**target["upload_headers"], **headers})
    media_id: str = target["media_id"]
    send.post(f"/api/media/{media_id}/ingest", headers=headers)
    ingest_media(media_id)
    fragment = send.get(f"/api/media/{media_id}/fragments").json()["data"]["fragments"][0]
    for color, words in highlights.items():
        text = fragment["canonical_text"]
        start = text.replace("\n", " ").index(words)
        span = highlight_body(text, start, start + len(words), color=color)
        made = send.post(f"/api/fragments/{fragment['id']}/highlights", data=span, headers=headers)
        assert made.status == 201, made.text()
    return media_id


def sign_up(nexus: LiveNexus, context: BrowserContext) -> str:
    """A new account with a few articles; answers the id of the sample."""
    credentials = {"email": f"reader-{uuid4().hex[:4]}@example.org", "password": PASSWORD}
    answer = context.request.post(
        "/auth/signup", data=credentials, headers={"Origin": nexus.origin}
    )
    user_id = UUID(answer.json()["data"]["user"]["id"])
    me = context.request.get("/api/me").json()["data"]
    viewer = Viewer(user_id, me["email"], UUID(me["default_library_id"]))
    for path in sorted(PAGES.glob("*.html")):
        add_article(viewer, path)
    items = context.request.get("/api/media").json()["data"]["media"]
    return str(next(item["id"] for item in items if item["title"] == "Welcome to Nexus"))


def add_article(viewer: Viewer, path: Path) -> None:
    from nexus.db.session import get_session_factory

    source = path.read_text()
    heading = LexborHTMLParser(source).css_first("title, h1, h2")
    assert heading is not None
    title = heading.text(strip=True)
    url = f"https://example.org/{path.stem}"
    html = sanitize_html(source, url)
    with get_session_factory()() as session:
        media = make_media(
            session,
            viewer,
            title=title,
            requested_url=url,
            canonical_source_url=url,
            processing_status=ProcessingStatus.READY_FOR_READING,
        )
        session.add(
            Fragment(
                media_id=media.id, idx=0, html_sanitized=html, canonical_text=canonicalize(html)
            )
        )
        session.commit()


if __name__ == "__main__":
    main()

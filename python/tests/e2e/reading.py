"""An article opened in a real browser, and what a person can do there."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
from bench.painted import COLORS, PAINTED, letters
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import Fragment, Library
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import sanitize_html
from nexus.services.viewer import Viewer
from tests.factories import make_media
from tests.highlights import highlight_body
from tests.live import LiveNexus, wait_for
from tests.patience import PATIENCE_MS

# The window coordinates just inside the first and last letter of a passage of the article.
EDGES = """([passage, scroll]) => {
  const root = document.querySelector("article section");
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let all = "";
  while (walker.nextNode()) {
    nodes.push([walker.currentNode, all.length]);
    all += walker.currentNode.data;
  }
  const start = all.indexOf(passage);
  if (start < 0) throw new Error(`not on the page: ${passage}`);
  const box = (at) => {
    const [node, from] = nodes.findLast(([, from]) => from <= at);
    const range = document.createRange();
    range.setStart(node, at - from);
    range.setEnd(node, at - from + 1);
    const place = { block: "center", behavior: "instant" };
    if (scroll) range.startContainer.parentElement.scrollIntoView(place);
    return { range, rect: () => range.getBoundingClientRect() };
  };
  const [first, last] = [box(start), box(start + passage.length - 1)];
  const [a, b] = [first.rect(), last.rect()];
  const rtl = getComputedStyle(first.range.startContainer.parentElement).direction === "rtl";
  const edge = (r, end) => (rtl !== end ? r.right - 1 : r.left + 1);
  return {
    from: [edge(a, false), a.top + a.height / 2],
    to: [edge(b, true), b.top + b.height / 2],
    middle: [a.left + a.width / 2, a.top + a.height / 2],
  };
}"""

# Remembers what was marked for a moment while it was on the screen, however late a test looks.
RECORD_MARKS = """(() => {
  window.marked = new Set();
  const look = () => {
    const pieces = [...(CSS.highlights.get("nexus-target") ?? [])].map((piece) => {
      const range = document.createRange();
      range.setStart(piece.startContainer, piece.startOffset);
      range.setEnd(piece.endContainer, piece.endOffset);
      return range;
    });
    const top = pieces[0]?.getBoundingClientRect().top ?? -1;
    if (top > 56 && top < innerHeight) window.marked.add(pieces.join("").replace(/\\s/g, ""));
    requestAnimationFrame(look);
  };
  look();
})()"""
WAS_MARKED = "(words) => window.marked.has(words.replace(/\\s/g, ''))"
WAS_MARKED_FROM = """(words) =>
  [...window.marked].some((all) => all.startsWith(words.replace(/\\s/g, '')))"""

SETTLED = """async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await document.fonts.ready;
  do {
    for (let i = 0; i < 3; i += 1) await frame();
  } while (document.getAnimations().some((one) => one.playState === "running"));
}"""


@dataclass
class Person:
    """Someone with an account: their browser context, and a client with the same cookies."""

    nexus: LiveNexus
    context: BrowserContext
    client: httpx.Client
    viewer: Viewer
    problems: list[str] = field(default_factory=list)
    under_way: set[Request] = field(default_factory=set)

    def page(self) -> Page:
        """A tab that notes down every console error and exception."""
        page = self.context.new_page()
        page.on("console", self._note_console)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: self.under_way.add(request))
        page.on("requestfinished", lambda request: self.under_way.discard(request))
        page.on("requestfailed", lambda request: self.under_way.discard(request))
        return page

    def _note_console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def open(self, article: Fragment, *, fragment: str = "") -> "Reading":
        """The article in a new tab, once it is drawn."""
        reading = Reading(self, self.page(), article)
        reading.page.goto(f"{self.nexus.origin}/read/{article.media_id}{fragment}")
        expect(reading.body).not_to_be_empty()
        return reading

    def highlight(self, article: Fragment, start: int, end: int, color: str) -> dict[str, Any]:
        """A highlight made through the API, as another device would."""
        body = highlight_body(article.canonical_text, start, end, color=color)
        answer = self.client.post(f"/api/fragments/{article.id}/highlights", json=body)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()["data"]
        return made

    def highlights(self, article: Fragment) -> list[dict[str, Any]]:
        answer = self.client.get(f"/api/fragments/{article.id}/highlights")
        found: list[dict[str, Any]] = answer.json()["data"]["highlights"]
        return found


@dataclass
class Reading:
    """A tab with an article."""

    person: Person
    page: Page
    article: Fragment

    @property
    def body(self) -> Locator:
        return self.page.locator("article section")

    @property
    def cards(self) -> Locator:
        return self.page.get_by_role("complementary", name="Highlights and notes").locator("li")

    @property
    def bar(self) -> Locator:
        return self.page.get_by_role("toolbar", name="Selected passage")

    def painted(self) -> list[list[str]]:
        """Each drawn piece in document order: its letters without whitespace, and its colour."""
        drawn: list[list[str]] = self.page.evaluate(PAINTED, COLORS)
        return [piece for piece in drawn if piece[0]]

    def expect_painted(self, *pieces: Sequence[str]) -> None:
        """Wait until exactly this is drawn."""
        wanted = [[letters(text), color] for text, color in pieces]
        # One string, because Playwright takes long over lists of lists.
        same = f"""([colors, wanted]) => JSON.stringify(
            ({PAINTED})(colors).filter(([text]) => text)) === wanted"""
        compact = json.dumps(wanted, ensure_ascii=False, separators=(",", ":"))
        try:
            self.page.wait_for_function(same, arg=[list(COLORS), compact])
        except PlaywrightTimeout:
            assert self.painted() == wanted

    def expect_saved(self) -> None:
        """Wait until the server has every highlight that is shown."""
        expect(self.cards.and_(self.page.locator("[data-pending]"))).to_have_count(0)

    def expect_sent(self) -> None:
        """Wait until the server has decided about every change."""
        self.page.wait_for_function(
            "() => !Object.keys(localStorage).some((key) => key.startsWith('nexus.outbox.'))"
        )

    def edges(self, passage: str, *, scroll: bool = True) -> dict[str, list[float]]:
        """Points on the first and last letter of a passage, scrolled to unless told otherwise."""
        found: dict[str, list[float]] = self.page.evaluate(EDGES, [passage, scroll])
        return found

    def drag(self, passage: str, to: str | None = None) -> None:
        """Select a passage, or from one passage to another, with the mouse."""
        last = self.edges(to or passage)
        first = self.edges(passage, scroll=False)
        mouse = self.page.mouse
        mouse.move(*first["from"])
        mouse.down()
        mouse.move(*last["to"], steps=8)
        mouse.up()

    def go_offline(self) -> None:
        """Cut the network once nothing is under way that would fail, and say so above the text."""

        def is_quiet() -> bool:
            # Lets events come in.
            self.page.evaluate("null")
            return all(one.url.endswith("/media/events") for one in self.person.under_way)

        wait_for(is_quiet)
        self.person.context.set_offline(True)

    def settle(self) -> None:
        """Wait until nothing moves any more: nothing is on its way, and no new frame starts."""
        self.page.evaluate(SETTLED)

    def wheel(self, distance: int) -> None:
        """Turn the wheel, and wait until the page has moved and stands still."""
        before = self.page.evaluate("scrollY")
        self.page.mouse.wheel(0, distance)
        self.page.wait_for_function("(y) => scrollY !== y", arg=before)
        self.settle()

    def click_text(self, passage: str) -> None:
        """Click on the first letter of a passage."""
        self.page.mouse.click(*self.edges(passage)["middle"])


@contextmanager
def person(
    nexus: LiveNexus, browser: Browser, session: Session, **context: Any
) -> Iterator[Person]:
    """A new account in a browser context of its own; it must end without a console error."""
    client = nexus.signed_up()
    user = client.get("/auth/session").json()["data"]["user"]
    user_id = UUID(user["id"])
    library = session.scalars(select(Library).where(Library.owner_user_id == user_id)).one()
    opened = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context})
    opened.set_default_timeout(PATIENCE_MS)
    opened.add_cookies(
        [
            {"name": cookie.name, "value": cookie.value or "", "url": nexus.origin}
            for cookie in client.cookies.jar
        ]
    )
    someone = Person(nexus, opened, client, Viewer(user_id, user["email"], library.id))
    with closing(client), closing(opened):
        yield someone
    assert someone.problems == []


def make_article(
    session: Session, owner: Person, html: str, *, title: str = "An essay"
) -> Fragment:
    """A readable article, cleaned the way ingestion does it."""
    clean = sanitize_html(html, "https://example.org/essay")
    return store_article(session, owner, clean, canonicalize(clean), title=title)


def store_article(
    session: Session, owner: Person, html: str, text: str, *, title: str = "An essay"
) -> Fragment:
    """A readable article with exactly this HTML."""
    ready = ProcessingStatus.READY_FOR_READING
    media = make_media(session, owner.viewer, title=title, processing_status=ready)
    fragment = Fragment(media_id=media.id, idx=0, html_sanitized=html, canonical_text=text)
    session.add(fragment)
    session.commit()
    session.refresh(fragment)
    return fragment

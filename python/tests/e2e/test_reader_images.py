"""Images come late, wrong or never: nothing on the page moves for it."""

import threading
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect
from pytest_httpserver import HTTPServer
from sqlalchemy.orm import Session
from werkzeug import Request, Response

from nexus.db.models import Fragment
from nexus.html.image_sizes import declared_sizes
from nexus.services.images.sizes import keep_images
from tests.e2e.reading import Person, Reading, make_article
from tests.patience import PATIENCE_SECONDS

WORDS = "Words stand here and want to stay where they are. " * 6
# Each is [the page's markup, the size of the picture or None when it never comes].
IMAGES: dict[str, tuple[str, tuple[int, int] | None]] = {
    "sized": ('<p><img src="{}" width="600" height="900"></p>', (600, 900)),
    "sized-wrongly": ('<p><img src="{}" width="600" height="200"></p>', (500, 500)),
    "wider-than-the-page": ('<p><img src="{}" width="3000" height="1000"></p>', (3000, 1000)),
    "unknown": ('<p><img src="{}"></p>', (300, 1200)),
    "unknown-small": ('<p><img src="{}"></p>', (20, 20)),
    "unknown-in-a-line": (f'<p>{WORDS}<img src="{{}}">{WORDS}</p>', (700, 100)),
    "sized-in-a-line": (f'<p>{WORDS}<img src="{{}}" width="24" height="24">{WORDS}</p>', (24, 24)),
    "unknown-in-a-table": ('<table><tr><td><img src="{}"></td><td>Beside</td></table>', (900, 90)),
    "sized-never": ('<p><img src="{}" width="500" height="400"></p>', None),
    "unknown-never": ('<p><img src="{}" alt="A description of what never came"></p>', None),
    "unknown-never-in-a-line": (f'<p>{WORDS}<img src="{{}}" alt="Nothing">{WORDS}</p>', None),
}

PLACES = """() => [
  ...document.querySelectorAll("article section :is(p, td), li[data-highlight-id]"),
].map((one) => Math.round((one.getBoundingClientRect().top + scrollY) * 10) / 10)"""
# Without a node are the icon and the words that the browser itself draws inside a broken image;
# where the image is, and everything else, is compared by `PLACES` as well.
WATCH_SHIFTS = """() => {
  window.shifts = [];
  const words = (node) => (node.outerHTML ?? node.textContent).slice(0, 120);
  const note = (list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.flatMap(({ node }) => (node ? [words(node)] : []));
      if (moved.length > 0 || sources.length === 0) window.shifts.push([value, moved]);
    }
  };
  window.shiftObserver = new PerformanceObserver(note);
  window.shiftObserver.observe({ type: "layout-shift" });
  window.noteShifts = () => { note({ getEntries: () => window.shiftObserver.takeRecords() }); };
}"""


class Pictures:
    """A site whose pictures are held back until they are let go."""

    def __init__(self, server: HTTPServer) -> None:
        self.server = server
        self.let_go = threading.Event()
        for name, (_, size) in IMAGES.items():
            server.expect_request(f"/{name}.png").respond_with_handler(self._answer(size))

    def _answer(self, size: tuple[int, int] | None) -> Callable[[Request], Response]:
        def answer(_request: Request) -> Response:
            assert self.let_go.wait(PATIENCE_SECONDS)
            if size is None:
                return Response("gone", status=404)
            body = BytesIO()
            Image.new("RGB", size, "teal").save(body, "PNG")
            return Response(body.getvalue(), content_type="image/png")

        return answer

    def html(self) -> str:
        """All of them between paragraphs; the last one is far below."""
        return "".join(
            markup.format(self.server.url_for(f"/{name}.png")) + f"<p>After {name}. {WORDS}</p>"
            for name, (markup, _) in IMAGES.items()
        )


@pytest.fixture
def pictures() -> Iterator[Pictures]:
    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        held = Pictures(server)
        yield held
        held.let_go.set()


def article_with(session: Session, reader: Person, html: str) -> Fragment:
    article = make_article(session, reader, html)
    declared = declared_sizes(html, "https://example.org/essay")
    keep_images(session, [(article.id, article.html_sanitized)], declared=declared)
    session.commit()
    return article


def expect_nothing_to_move(reading: Reading, then: Callable[[], None] = lambda: None) -> None:
    """Look at everything before and after all images came."""
    page = reading.page
    reading.settle()
    page.evaluate(WATCH_SHIFTS)
    before = page.evaluate(PLACES)
    then()
    images = reading.body.locator("img")
    for number in range(images.count()):
        image = images.nth(number)
        image.evaluate("one => one.scrollIntoView({block: 'center', behavior: 'instant'})")
        expect(image.and_(page.locator("[data-loaded], [data-broken]"))).to_have_count(1)
    reading.settle()
    page.evaluate("noteShifts()")
    assert len(before) > 2 * len(IMAGES)
    assert page.evaluate(PLACES) == before
    assert page.evaluate("shifts") == []


def expect_highlights(reading: Reading, width: int) -> None:
    """The page makes room for them, which is no image's doing."""
    if width > 900:
        expect(reading.cards).to_have_count(len(IMAGES))
    else:
        sheet = reading.page.get_by_role("button", name=f"{len(IMAGES)} highlights", exact=True)
        expect(sheet).to_be_visible()


@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.heavy)])
def test_nothing_moves_while_images_come(
    session: Session, reader: Person, pictures: Pictures, width: int
) -> None:
    article = article_with(session, reader, pictures.html())
    for name in IMAGES:
        start = article.canonical_text.index(f"After {name}.")
        reader.highlight(article, start, start + 10, "green")
    reading = reader.open(article)
    reading.page.set_viewport_size({"width": width, "height": 800})
    expect_highlights(reading, width)
    expect_nothing_to_move(reading, then=pictures.let_go.set)
    missing = sum(size is None for _, size in IMAGES.values())
    expect(reading.body.locator("img[data-broken]")).to_have_count(missing)
    # What the proxy saw by now gives the next visit the true proportions from the start.
    reading.page.reload()
    expect(reading.body.locator("img:not([data-sized])")).to_have_count(missing - 1)
    expect_highlights(reading, width)
    expect_nothing_to_move(reading)
    reader.problems.clear()  # of pictures that do not come

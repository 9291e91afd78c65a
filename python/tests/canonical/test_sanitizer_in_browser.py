"""Hostile HTML, sanitized and loaded as whole documents in Chromium: nothing may run."""

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser

from nexus.html.sanitize import ALLOWED_ATTRIBUTES, sanitize_html
from nexus.html.tags import ALLOWED_TAGS
from tests.fixtures.xss_vectors import VECTORS

FRAMES_PER_PAGE = 60
FOREIGN_URL = re.compile(r'(?:href|src)="(?!https?:|mailto:|/media/image\?url=http|#offset-\d)')

# In every frame: a call of alert is noted under the name of the frame the vector was loaded in.
# Ordinary links are not followed, so that clicking them leaves the documents in place.
WATCH = """
(() => {
  const note = () => {
    let frame = window;
    while (frame.parent !== top) frame = frame.parent;
    top.fired.add(frame.name);
  };
  for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = note;
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a, area");
    if (/^(https?|mailto):/.test(link?.href ?? "")) event.preventDefault();
  });
})()
"""
LOAD = """
async (numbers) => {
  window.fired = new Set();
  await Promise.all(numbers.map((number) => new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.name = number;
    frame.src = "/" + number;
    frame.onload = resolve;
    setTimeout(resolve, 5000);
    document.body.append(frame);
  })));
}
"""
PROVOKE = """
async () => {
  const types = ("load error click dblclick auxclick contextmenu mouseover mouseenter mousemove " +
    "mousedown mouseup pointerdown pointerover pointerenter touchstart wheel scroll keydown " +
    "keypress keyup focus blur focusin input change submit reset invalid select toggle " +
    "beforetoggle animationstart animationend transitionend drag dragstart drop copy cut paste " +
    "begin end start finish pageshow hashchange message").split(" ");
  const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
  await pause();
  for (const frame of document.querySelectorAll("iframe")) {
    let elements = [];
    try { elements = [...frame.contentDocument.querySelectorAll("*")]; } catch { continue; }
    for (const element of elements.slice(0, 300)) {
      for (const type of types) {
        const Kind = type === "click" ? MouseEvent : Event;
        try {
          element.dispatchEvent(new Kind(type, { bubbles: false, cancelable: true }));
        } catch {}
      }
      try { element.focus?.(); element.requestSubmit?.(); element.click?.(); } catch {}
    }
  }
  await pause();
  return [...window.fired].map(Number);
}
"""


class Documents(ThreadingHTTPServer):
    """Serves one document per number, and a blank page to hold the frames."""

    def __init__(self, documents: list[str]) -> None:
        super().__init__(("127.0.0.1", 0), DocumentHandler)
        self.pages = {f"/{number}": html for number, html in enumerate(documents)}
        self.pages["/"] = "<!DOCTYPE html><body>"


class DocumentHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        assert isinstance(self.server, Documents)
        html = self.server.pages.get(self.path)
        body = (html or "").encode("utf-8", "replace")
        self.send_response(404 if html is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def run(browser: Browser, documents: list[str]) -> set[int]:
    """Load every document in a frame, provoke it, and return the indexes of those that ran."""
    fired: set[int] = set()
    with Documents(documents) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            for first in range(0, len(documents), FRAMES_PER_PAGE):
                numbers = range(first, min(first + FRAMES_PER_PAGE, len(documents)))
                fired |= _run_batch(browser, server.server_port, numbers)
        finally:
            server.shutdown()
            thread.join()
    return fired


def _run_batch(browser: Browser, port: int, numbers: range) -> set[int]:
    context = browser.new_context()
    try:
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        page.evaluate(LOAD, [str(number) for number in numbers])
        return set(page.evaluate(PROVOKE))
    finally:
        context.close()


def test_nothing_runs_after_sanitizing(browser: Browser) -> None:
    documents = sorted({sanitize_html(html, "https://example.org/") for html in VECTORS})
    fired = run(browser, [f"<!DOCTYPE html><body>{html}" for html in documents])
    assert [documents[index] for index in sorted(fired)] == []


# Elements in a namespace that their place does not call for, and markup inside tokens.
FOREIGN = """
(documents) => documents.filter((html) => {
  const parsed = new DOMParser().parseFromString("<!DOCTYPE html><body>" + html, "text/html");
  return [...parsed.body.querySelectorAll("*")].some((element) => {
    const inMath = element.closest("math") !== null;
    const namespace = inMath ? "1998/Math/MathML" : "1999/xhtml";
    const isToken = inMath && /^(mi|mn|mo|ms|mtext|mspace|mprescripts)$/.test(element.localName);
    return element.namespaceURI !== "http://www.w3.org/" + namespace
      || (isToken && element.childElementCount > 0)
      || (inMath && element.localName === "math" && element.parentNode.closest("math"));
  });
})
"""


def test_no_markup_is_in_a_doubtful_namespace(browser: Browser) -> None:
    documents = sorted({sanitize_html(html, "https://example.org/") for html in VECTORS})
    context = browser.new_context()
    try:
        assert context.new_page().evaluate(FOREIGN, documents) == []
    finally:
        context.close()


@pytest.mark.heavy
def test_the_harness_sees_vectors_that_are_not_sanitized(browser: Browser) -> None:
    fired = run(browser, VECTORS)
    assert len(fired) > 0.6 * len(VECTORS), f"{len(fired)} of {len(VECTORS)}"


@pytest.mark.must
def test_only_allowed_markup_is_left() -> None:
    for html in VECTORS:
        sanitized = sanitize_html(html, "https://example.org/")
        assert sanitize_html(sanitized, "https://example.org/") == sanitized
        for tag, attributes in re.findall(r"<(/?[^\s>]+)([^>]*)>", sanitized):
            assert tag.lstrip("/") in ALLOWED_TAGS
            names = re.findall(r'\s([^\s=]+)="[^"]*"', attributes)
            assert set(names) <= ALLOWED_ATTRIBUTES.get(tag, set()) | ALLOWED_ATTRIBUTES["*"]
            assert not FOREIGN_URL.search(attributes)

"""Runs the web app's canonical-text module in real Chromium, many documents per call."""

import subprocess
from dataclasses import dataclass
from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests.browser import REPOSITORY
from tests.patience import PATIENCE_SECONDS

WEB = REPOSITORY / "apps" / "web"

# Each document is parsed twice, as a page that shows it would and as a file of its own.
_READ_DOCUMENTS = """
(documents) => documents.map((html) => {
  const holder = document.createElement("div");
  holder.innerHTML = html;
  const whole = new DOMParser().parseFromString("<!DOCTYPE html><body>" + html, "text/html");
  const map = NexusCanonical.canonicalize(holder);
  const nodes = Array.from(map.starts, (start, i) => [start, map.ends[i]]);
  return [map.text, nodes, holder.innerHTML, whole.body.innerHTML];
})
"""


@dataclass(frozen=True)
class BrowserReading:
    """What Chromium makes of one document."""

    text: str
    nodes: list[tuple[int, int]]
    as_part: str  # its own serialization of the parsed HTML, inside an element …
    as_document: str  # … and as the body of a document


@cache
def bundle() -> str:
    """The module as one script."""
    return subprocess.run(
        ["node", WEB / "scripts" / "bundle-canonical.mjs"],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    ).stdout


class Twin:
    """The TypeScript canonicalizer in a page."""

    def __init__(self, page: Page) -> None:
        page.set_content("<!DOCTYPE html><body></body>")
        page.evaluate(bundle() + "; globalThis.NexusCanonical = NexusCanonical;")
        self.page = page

    def read(self, documents: list[str]) -> list[BrowserReading]:
        """Parse, canonicalize and serialize each document."""
        answers: list[Any] = self.page.evaluate(_READ_DOCUMENTS, documents)
        return [
            BrowserReading(text, [(start, end) for start, end in nodes], part, whole)
            for text, nodes, part, whole in answers
        ]

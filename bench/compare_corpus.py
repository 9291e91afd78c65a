"""What a browser shows in an article's column and we do not keep, and the other way round.

`scripts/compare-corpus [FOLDER]` prints it for each page of the corpus, or of the folder.
"""

import re
import sys
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

from bench.chromium import launch_options
from bench.pages import corpus_pages, serve
from nexus.config import Settings
from nexus.extractors.web_article import node_client
from nexus.html.cleaning import clean_page

# The smallest element that shows most of the words we kept: what a person takes for the column.
_COLUMN = """(kept) => {
  const words = (text) => text.match(/[\\p{L}\\p{N}]+/gu) ?? [];
  const wanted = new Set(words(kept));
  const share = (element) =>
    new Set(words(element.innerText ?? "").filter((word) => wanted.has(word))).size;
  let column = document.body;
  const least = share(column) * 0.9;
  for (let next = column; next; ) {
    column = next;
    next = Array.from(column.children).find((child) => share(child) >= least);
  }
  return column.innerText;
}"""


def lines(text: str) -> list[str]:
    """Of some length: shorter ones are found anywhere."""
    return [line.strip() for line in text.splitlines() if len(line.strip()) > 3]


def plain(text: str) -> str:
    return "".join(re.findall(r"\w+", text)).casefold()


def missing(wanted: str, found: str) -> list[str]:
    """Lines of one text whose words do not stand in the other in this order."""
    there = plain(found)
    return [line for line in lines(wanted) if plain(line) not in there]


def compare(page: Page, url: str, settings: Settings) -> None:
    try:
        article = node_client.extract(url, settings=settings)
    except node_client.IngestError as error:
        print(f"    {error}")
        return
    kept = clean_page(article.content_html, article.base_url).text
    page.goto(url, wait_until="domcontentloaded")
    shown = page.evaluate(_COLUMN, kept)
    for mark, found in (("-", missing(shown, kept)), ("+", missing(kept, shown))):
        for line in found:
            print(f"  {mark} {line[:160]}")


def main() -> None:
    """Without the network: pages are shown as they are served."""
    pages = sorted(Path(sys.argv[1]).glob("*.html")) if len(sys.argv) > 1 else corpus_pages()
    with serve(pages) as site, sync_playwright() as playwright:
        settings = Settings(ingest_mode="serve", allow_private_hosts=(site.host,))

        def only_site(route: Route) -> None:
            if site.host in route.request.url:
                route.continue_()
            else:
                route.abort()

        page = playwright.chromium.launch(**launch_options()).new_page()
        page.route("**/*", only_site)
        for path in pages:
            print(path.name, flush=True)
            compare(page, f"{site.origin}/compare/{path.name}", settings)
        node_client.stop()


if __name__ == "__main__":
    main()

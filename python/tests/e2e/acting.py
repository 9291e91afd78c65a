"""What people and workers do in end-to-end tests."""

from typing import Any
from uuid import UUID

from playwright.sync_api import Locator, Page

from nexus.tasks.ingest_web_article import ingest_web_article
from tests.browser import REPOSITORY

_AXE = REPOSITORY / "apps" / "web" / "node_modules" / "axe-core" / "axe.min.js"
_PASTE = """text => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  const event = { clipboardData: data, bubbles: true, cancelable: true };
  (document.activeElement ?? document.body).dispatchEvent(new ClipboardEvent('paste', event));
}"""
_FILES = """files => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([text], name));
  return data;
}"""
_LINK = """address => {
  const data = new DataTransfer();
  data.setData('text/uri-list', `# a link\\r\\n${address}`);
  return data;
}"""


def visit(page: Page, path: str = "/") -> None:
    """Open a view and wait until the app listens."""
    page.goto(path)
    # An empty list has such a button, too.
    page.get_by_role("button", name="Add", exact=True).first.wait_for()


def paste(page: Page, text: str) -> None:
    """Paste into whatever has focus."""
    page.evaluate(_PASTE, text)


def drop_files(page: Page, *files: tuple[str, str]) -> None:
    """Drag files over the window and let them go."""
    data = page.evaluate_handle(_FILES, [list(file) for file in files])
    page.dispatch_event("body", "dragenter", {"dataTransfer": data})
    page.get_by_text("Drop to upload").wait_for()
    page.dispatch_event("body", "drop", {"dataTransfer": data})


def drop_link(page: Page, address: str) -> None:
    """Drag a link of another window over this one and let it go."""
    data = page.evaluate_handle(_LINK, address)
    page.dispatch_event("main", "dragenter", {"dataTransfer": data})
    page.get_by_text("Drop to save").wait_for()
    page.dispatch_event("main", "drop", {"dataTransfer": data})


def choose(page: Page, item: str, action: str) -> None:
    """Pick something from the menu of an item or library in the view."""
    page.get_by_role("main").get_by_role("button", name=f"Actions for {item}").click()
    page.get_by_role("menuitem", name=action).click()


def row(page: Page, text: str) -> Locator:
    """The rows of the list that hold this text."""
    return page.get_by_role("main").get_by_role("listitem").filter(has_text=text)


def saved_row(page: Page, text: str) -> Locator:
    """The row of a saved item; for a moment that of its address on its way is there too."""
    return row(page, text).filter(has=page.get_by_role("heading").get_by_role("link"))


def item_id(row: Locator) -> UUID:
    """The item a row leads to."""
    href = row.get_by_role("heading").get_by_role("link").get_attribute("href")
    assert href is not None
    return UUID(href.rpartition("/")[2])


def ingest(media_id: UUID) -> None:
    """What a worker does with a saved address."""
    ingest_web_article(str(media_id))


def article(title: str) -> str:
    """A page with enough text to be one."""
    words = "Tides follow the moon, and harbours follow the tides. " * 12
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title></head><body>'
        f"<article><h1>{title}</h1><p>{words}</p><p>{words}</p></article></body></html>"
    )


def serious_problems(page: Page) -> list[str]:
    """What axe finds on the view that would keep somebody out."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text())
    # What is still fading in has too little contrast, for a moment.
    page.evaluate(
        """() => Promise.allSettled(document.getAnimations()
          .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
          .map(({ finished }) => finished))"""
    )
    found: dict[str, Any] = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{problem['id']}: {problem['nodes'][0]['target']}"
        for problem in found["violations"]
        if problem["impact"] in {"serious", "critical"}
    ]

"""A book opened in Chromium: one of very many documents against one of a few."""

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.book_file import write_book
from bench.chromium import launch_options
from bench.figures import Figure
from bench.front import Reader, front, signed_up
from bench.ports import free_port
from bench.run import Run
from bench.stack import nexus_stack

_TARGET = 1.5
_EACH = 4_000
_FEW = 20

# From the click until the first chapter is on the screen.
_OPEN = """(address) => new Promise((resolve) => {
  const started = performance.now();
  const look = () => {
    const chapter = document.querySelector("[data-chapter]");
    if (chapter?.textContent) requestAnimationFrame(() => resolve(performance.now() - started));
    else requestAnimationFrame(look);
  };
  document.querySelector(`a[href="${address}"]`).click();
  look();
})"""


def measure(bench: Run) -> list[Figure]:
    """Both books in turn, each time in a browser context that has seen nothing."""
    many = bench.size(2_000, 400)
    with (
        nexus_stack(redis=True, port=free_port()) as stack,
        stack.api(),
        front(stack) as origin,
        signed_up(origin) as reader,
        sync_playwright() as playwright,
    ):
        bench.say(f"book_opening: reading a book of {many:,} documents")
        with stack.program("worker"):
            books = [_upload(reader, count) for count in (_FEW, many)]
        browser = playwright.chromium.launch(**launch_options())
        taken = []
        for number in range(bench.size(9, 3) + 1):
            bench.say(f"book_opening: round {number + 1}")
            few_ms, many_ms = (_opened_ms(browser, reader, media_id) for media_id in books)
            taken.append((few_ms, many_ms))
        browser.close()
    # The first one warms up.
    few_ms, many_ms = (statistics.median(one) for one in zip(*taken[1:], strict=True))
    return [
        Figure(
            f"opening a book of {many:,} documents / of {_FEW}",
            statistics.median(long / short for short, long in taken[1:]),
            "×",
            at_most=_TARGET,
            note=f"{many_ms:.0f} ms and {few_ms:.0f} ms",
        )
    ]


def _upload(reader: Reader, count: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{count}.epub"
        write_book(path, seed=count, chapters=count, characters=count * _EACH)
        media_id = reader.upload(path.read_bytes(), kind="epub", name=path.name)
    reader.wait_for(media_id)
    return media_id


def _opened_ms(browser: Browser, reader: Reader, media_id: str) -> float:
    page = reader.library(browser, media_id)
    taken = float(page.evaluate(_OPEN, f"/read/{media_id}"))
    page.context.close()
    return taken

"""The first page of a long PDF in Chromium: opened in Nexus, against bare pdf.js drawing it."""

import io
import statistics
from random import Random
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, sync_playwright
from reportlab.pdfgen.canvas import Canvas

from bench.chromium import launch_options
from bench.figures import Figure
from bench.front import Reader, front, signed_up
from bench.ports import free_port
from bench.run import Run
from bench.stack import nexus_stack
from bench.text import words

_TARGET = 1.5
_FLAT = 1.15
_MIB = 1 << 20
_PARTS = 4


class _Used(NamedTuple):
    scripts_mib: float
    all_mib: float
    """With what the browser keeps for its own side of nodes."""
    nodes: int


# As large as the reader draws it, and with what its settings have in common with any reader's.
_BARE = """async ([url, width]) => {
  const started = performance.now();
  const pdfjs = await import("/bare/legacy/build/pdf.min.mjs");
  pdfjs.GlobalWorkerOptions.workerSrc = "/bare/legacy/build/pdf.worker.min.mjs";
  const document_ = await pdfjs.getDocument({
    url,
    isEvalSupported: false,
    useSystemFonts: false,
    standardFontDataUrl: "/bare/standard_fonts/",
    cMapUrl: "/bare/cmaps/",
    wasmUrl: "/bare/wasm/",
  }).promise;
  const page = await document_.getPage(1);
  const scale = width / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  canvas.width = viewport.width;
  canvas.height = viewport.height;
  document.body.append(canvas);
  await page.render({ canvas, viewport }).promise;
  await new Promise(requestAnimationFrame);
  return performance.now() - started;
}"""
_OPEN = """(address) => new Promise((resolve) => {
  const started = performance.now();
  const look = () => {
    const picture = document.querySelector(".pdf-page > canvas");
    if (picture) resolve([performance.now() - started, picture.width]);
    else requestAnimationFrame(look);
  };
  document.querySelector(`a[href="${address}"]`).click();
  look();
})"""
# Goes to a page, and waits until it is drawn with its text.
_SHOW = """(number) => new Promise((resolve) => {
  const pages = document.querySelector(".pdf-page").parentElement;
  const count = Number(/of (\\d+)$/.exec(document.querySelector(".pdf-page").ariaLabel)[1]);
  const top = pages.getBoundingClientRect().top + scrollY;
  scrollTo({ top: top + (pages.offsetHeight * (number - 1)) / count, behavior: "instant" });
  const look = () => {
    const page = document.querySelector(`.pdf-page[aria-label^="Page ${number} of"]`);
    if (page?.querySelector("canvas") && page.querySelector(".pdf-text-end")) resolve();
    else requestAnimationFrame(look);
  };
  look();
})"""


def measure(bench: Run) -> list[Figure]:
    """Both ways in turn, each time with nothing of pdf.js in the browser's cache."""
    count = bench.size(1_000, 100)
    bench.say(f"pdf_pages: writing {count} pages")
    data = _long_pdf(count)
    with (
        nexus_stack(redis=True, port=free_port()) as stack,
        stack.api(),
        front(stack, app="bench.pdf_front:app") as origin,
        signed_up(origin) as reader,
        sync_playwright() as playwright,
    ):
        with stack.program("worker"):
            media_id = reader.upload(data, kind="pdf", name="long.pdf")
            reader.wait_for(media_id)
        browser = playwright.chromium.launch(**launch_options())
        taken = []
        for number in range(bench.size(9, 3)):
            bench.say(f"pdf_pages: round {number + 1}")
            ours_ms, width = _opened_ms(browser, reader, media_id)
            taken.append((ours_ms, _bare_ms(browser, reader, media_id, width)))
        bench.say("pdf_pages: scrolling through")
        memory = _memory(browser, reader, media_id, count)
        browser.close()
    ratio = statistics.median(ours / bare_ms for ours, bare_ms in taken)
    ours_ms, bare_ms = (statistics.median(one) for one in zip(*taken, strict=True))
    name = f"first page of a PDF of {count:,} pages / bare pdf.js"
    note = f"{ours_ms:.0f} ms and {bare_ms:.0f} ms"
    return [
        Figure(name, ratio, "×", at_most=_TARGET, note=note),
        *_memory_figures(memory, count),
    ]


def _memory_figures(memory: list[_Used], count: int) -> list[Figure]:
    """What is kept for each page would show in the first, what is kept for each visit in the other.

    The browser has caches of its own beside what scripts and nodes hold, which grow and shrink.
    """
    once, again = memory[:_PARTS], memory[_PARTS:]
    middle, end = once[_PARTS // 2 - 1], once[-1]
    first, second = (max(one.all_mib for one in lap) for lap in (once, again))
    name = f"memory of the tab, a PDF of {count:,} pages read"
    return [
        Figure(
            f"{name} to the end / to the middle, scripts",
            end.scripts_mib / middle.scripts_mib,
            "×",
            at_most=_FLAT,
            note=f"{middle.scripts_mib:.1f} and {end.scripts_mib:.1f} MiB;"
            f" {middle.nodes} and {end.nodes} nodes",
        ),
        Figure(
            f"{name} twice / once, the most of it",
            second / first,
            "×",
            at_most=_FLAT,
            note=f"{second:.0f} and {first:.0f} MiB",
        ),
    ]


def _bare_ms(browser: Browser, reader: Reader, media_id: str, width: int) -> float:
    page = reader.tab(browser)
    page.goto("/bare")
    url = reader.get(f"/media/{media_id}/file")["url"]
    taken = float(page.evaluate(_BARE, [url, width]))
    page.context.close()
    return taken


def _opened_ms(browser: Browser, reader: Reader, media_id: str) -> tuple[float, int]:
    """From the click on the item in the library until its first page is on the screen."""
    page = reader.library(browser, media_id)
    taken, width = page.evaluate(_OPEN, f"/read/{media_id}")
    page.context.close()
    return float(taken), int(width)


def _memory(browser: Browser, reader: Reader, media_id: str, count: int) -> list[_Used]:
    """What is in use after each part of the pages, all of them shown, twice from first to last."""
    page = reader.tab(browser)
    page.goto(f"/read/{media_id}")
    page.locator(".pdf-page > canvas").first.wait_for()
    session = page.context.new_cdp_session(page)
    found = []
    for part in [*range(_PARTS)] * 2:
        # Its neighbours are drawn with each.
        for number in range(part * count // _PARTS, (part + 1) * count // _PARTS, 3):
            page.evaluate(_SHOW, number + 1)
        found.append(_used(session))
    page.context.close()
    return found


def _used(session: CDPSession) -> _Used:
    """What the tab holds after everything loose is given back."""
    session.send("HeapProfiler.collectGarbage")
    heap = session.send("Runtime.getHeapUsage")
    scripts = (heap["usedSize"] + heap["backingStorageSize"]) / _MIB
    nodes = session.send("Memory.getDOMCounters")["nodes"]
    return _Used(scripts, scripts + heap["embedderHeapUsedSize"] / _MIB, nodes)


def _long_pdf(count: int) -> bytes:
    chance = Random(4)
    output = io.BytesIO()
    canvas = Canvas(output, pagesize=(612, 792), pageCompression=1)
    for _ in range(count):
        for line in range(44):
            canvas.drawString(72, 720 - 14 * line, words(chance, 12))
        canvas.showPage()
    canvas.save()
    return output.getvalue()

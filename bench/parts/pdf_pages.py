"""The first page of a long PDF in Chromium: opened in Nexus, against bare pdf.js drawing it."""

import io
import statistics
from dataclasses import dataclass, replace
from random import Random
from uuid import uuid4

import httpx
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from reportlab.pdfgen.canvas import Canvas

from bench.chromium import launch_options
from bench.figures import Figure
from bench.ports import free_port
from bench.run import Run
from bench.stack import Stack, nexus_stack, wait_for
from bench.text import words

_TARGET = 1.5
_FLAT = 1.15
_MIB = 1 << 20
_VIEWPORT = {"width": 1280, "height": 900}

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
# No request was under way for a while.
_IS_QUIET = """() => {
  const ends = performance.getEntriesByType("resource").map((entry) => entry.responseEnd);
  return performance.now() - Math.max(...ends) > 500;
}"""
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
    port = free_port()
    with (
        nexus_stack(redis=True, port=port) as stack,
        stack.api(),
        _front(stack).program("bff", app="bench.pdf_front:app"),
        sync_playwright() as playwright,
    ):
        origin = f"http://127.0.0.1:{port}"
        wait_for(lambda: _responds(origin), seconds=60)
        with stack.program("worker"):
            reader = _upload(origin, data)
        browser = playwright.chromium.launch(**launch_options())
        taken = []
        for number in range(bench.size(9, 3)):
            bench.say(f"pdf_pages: round {number + 1}")
            ours_ms, width = _opened_ms(browser, reader)
            taken.append((ours_ms, _bare_ms(browser, reader, width)))
        bench.say("pdf_pages: scrolling through")
        memory = _memory(browser, reader, count)
        browser.close()
    ratio = statistics.median(ours / bare_ms for ours, bare_ms in taken)
    ours_ms, bare_ms = (statistics.median(one) for one in zip(*taken, strict=True))
    name = f"first page of a PDF of {count:,} pages / bare pdf.js"
    note = f"{ours_ms:.0f} ms and {bare_ms:.0f} ms"
    return [
        Figure(name, ratio, "×", at_most=_TARGET, note=note),
        _memory_figure(memory, count),
    ]


def _memory_figure(memory: list[float], count: int) -> Figure:
    """The second half of the way against the first: what is kept for each page would show."""
    start, half, end = memory
    return Figure(
        f"memory of the tab, a PDF of {count:,} pages read to the end / to the middle",
        end / half,
        "×",
        at_most=_FLAT,
        note=f"{start:.0f} MiB at the start, {half:.0f} in the middle, {end:.0f} at the end",
    )


def _front(stack: Stack) -> Stack:
    """The same, with the front leading to its API."""
    api_url = f"unix:{stack.api_socket}"
    return replace(stack, settings=stack.settings.model_copy(update={"api_url": api_url}))


@dataclass(frozen=True)
class _Reader:
    """Somebody with the file in their library."""

    origin: str
    cookies: dict[str, str]
    media_id: str

    @property
    def address(self) -> str:
        return f"/read/{self.media_id}"

    def tab(self, browser: Browser) -> Page:
        context = browser.new_context(viewport=_VIEWPORT)
        context.add_cookies(
            [
                {"name": name, "value": value, "url": self.origin}
                for name, value in self.cookies.items()
            ]
        )
        return context.new_page()

    def file_url(self) -> str:
        response = httpx.get(f"{self.origin}/api/media/{self.media_id}/file", cookies=self.cookies)
        return str(response.raise_for_status().json()["data"]["url"])


def _bare_ms(browser: Browser, reader: _Reader, width: int) -> float:
    page = reader.tab(browser)
    page.goto(f"{reader.origin}/bare")
    taken = float(page.evaluate(_BARE, [reader.file_url(), width]))
    page.context.close()
    return taken


def _opened_ms(browser: Browser, reader: _Reader) -> tuple[float, int]:
    """From the click on the item in the library until its first page is on the screen."""
    page = reader.tab(browser)
    page.goto(reader.origin)
    page.locator(f'a[href="{reader.address}"]').first.wait_for()
    # Who clicks has looked at the list, and nothing of that is under way any more.
    page.wait_for_function(_IS_QUIET)
    taken, width = page.evaluate(_OPEN, reader.address)
    page.context.close()
    return float(taken), int(width)


def _memory(browser: Browser, reader: _Reader, count: int) -> list[float]:
    """MiB in use at the start, in the middle and at the end of the pages, all of them shown."""
    page = reader.tab(browser)
    page.goto(f"{reader.origin}{reader.address}")
    page.locator(".pdf-page > canvas").first.wait_for()
    session = page.context.new_cdp_session(page)
    found = [_used_mib(session)]
    for half in range(2):
        # Its neighbours are drawn with each.
        for number in range(half * count // 2, (half + 1) * count // 2, 3):
            page.evaluate(_SHOW, number + 1)
        found.append(_used_mib(session))
    page.context.close()
    return found


def _used_mib(session: CDPSession) -> float:
    """What scripts and the nodes of the page hold, after everything loose is given back."""
    session.send("HeapProfiler.collectGarbage")
    heap = session.send("Runtime.getHeapUsage")
    return (
        float(heap["usedSize"] + heap["embedderHeapUsedSize"] + heap["backingStorageSize"]) / _MIB
    )


def _upload(origin: str, data: bytes) -> _Reader:
    """An account with the file in its library, and its text read."""
    with httpx.Client(base_url=origin, headers={"Origin": origin}, timeout=60) as client:
        account = {"email": f"{uuid4().hex}@example.org", "password": "a-fine-long-passphrase"}
        client.post("/auth/signup", json=account).raise_for_status()
        file = {
            "kind": "pdf",
            "filename": "long.pdf",
            "content_type": "application/pdf",
            "size_bytes": len(data),
        }
        target = client.post("/api/media/upload/init", json=file).raise_for_status().json()["data"]
        client.put(
            target["upload_url"], content=data, headers=target["upload_headers"]
        ).raise_for_status()
        media_id = str(target["media_id"])
        client.post(f"/api/media/{media_id}/ingest").raise_for_status()
        wait_for(lambda: _is_ready(client, media_id), seconds=300)
        return _Reader(origin, dict(client.cookies), media_id)


def _is_ready(client: httpx.Client, media_id: str) -> bool:
    media = client.get(f"/api/media/{media_id}").raise_for_status().json()["data"]
    return bool(media["processing_status"] == "ready_for_reading")


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


def _responds(origin: str) -> bool:
    try:
        return httpx.get(origin, timeout=1).is_success
    except httpx.HTTPError:
        return False

"""The first page of a long PDF in Chromium: opened in Nexus, against bare pdf.js drawing it."""

import io
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from shutil import copytree
from tempfile import TemporaryDirectory
from uuid import uuid4

import httpx
from playwright.sync_api import Browser, sync_playwright
from reportlab.pdfgen.canvas import Canvas

from bench.chromium import launch_options
from bench.figures import Figure
from bench.ports import free_port
from bench.run import Run
from bench.stack import Stack, nexus_stack, wait_for
from bench.text import words
from nexus.config import PROJECT_ROOT

_TARGET = 1.5
_PDFJS = PROJECT_ROOT / "apps" / "web" / "node_modules" / "pdfjs-dist" / "legacy" / "build"
_VIEWPORT = {"width": 1280, "height": 900}

# As wide as the column of the reader in the same window.
_BARE = """async () => {
  const started = performance.now();
  const pdfjs = await import("/pdf.min.mjs");
  pdfjs.GlobalWorkerOptions.workerSrc = "/pdf.worker.min.mjs";
  const document_ = await pdfjs.getDocument({
    url: "/long.pdf",
    isEvalSupported: false,
    useSystemFonts: false,
    standardFontDataUrl: "/standard_fonts/",
  }).promise;
  const page = await document_.getPage(1);
  const scale = 826 / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  canvas.width = viewport.width;
  canvas.height = viewport.height;
  document.body.append(canvas);
  await page.render({ canvas, viewport }).promise;
  return performance.now() - started;
}"""
_OPEN = """(address) => new Promise((resolve) => {
  const started = performance.now();
  const look = () => {
    if (document.querySelector(".pdf-page > canvas")) resolve(performance.now() - started);
    else requestAnimationFrame(look);
  };
  document.querySelector(`a[href="${address}"]`).click();
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
        _front(stack).program("bff"),
        _bare_site(data) as bare,
        sync_playwright() as playwright,
    ):
        origin = f"http://127.0.0.1:{port}"
        wait_for(lambda: _responds(origin), seconds=60)
        cookies, media_id = _upload(origin, data)
        browser = playwright.chromium.launch(**launch_options())
        taken = []
        for number in range(bench.size(9, 3)):
            bench.say(f"pdf_pages: round {number + 1}")
            bare_ms = _bare_ms(browser, bare)
            taken.append((_opened_ms(browser, origin, cookies, f"/read/{media_id}"), bare_ms))
        browser.close()
    ratio = statistics.median(ours / bare_ms for ours, bare_ms in taken)
    ours_ms, bare_ms = (statistics.median(one) for one in zip(*taken, strict=True))
    name = f"first page of a PDF of {count:,} pages / bare pdf.js"
    note = f"{ours_ms:.0f} ms and {bare_ms:.0f} ms"
    return [Figure(name, ratio, "×", at_most=_TARGET, note=note)]


def _front(stack: Stack) -> Stack:
    """The same, with the front leading to its API."""
    api_url = f"unix:{stack.api_socket}"
    return replace(stack, settings=stack.settings.model_copy(update={"api_url": api_url}))


def _bare_ms(browser: Browser, origin: str) -> float:
    context = browser.new_context(viewport=_VIEWPORT)
    page = context.new_page()
    page.goto(f"{origin}/index.html")
    taken = float(page.evaluate(_BARE))
    context.close()
    return taken


def _opened_ms(browser: Browser, origin: str, cookies: dict[str, str], address: str) -> float:
    """From the click on the item in the library until its first page is on the screen."""
    context = browser.new_context(viewport=_VIEWPORT)
    context.add_cookies(
        [{"name": name, "value": value, "url": origin} for name, value in cookies.items()]
    )
    page = context.new_page()
    page.goto(origin)
    page.locator(f'a[href="{address}"]').first.wait_for()
    taken = float(page.evaluate(_OPEN, address))
    context.close()
    return taken


def _upload(origin: str, data: bytes) -> tuple[dict[str, str], str]:
    """An account with the file in its library; returns its cookies and the item."""
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
        return dict(client.cookies), media_id


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


@contextmanager
def _bare_site(data: bytes) -> Iterator[str]:
    """pdf.js and the file, from the simplest of servers."""
    with TemporaryDirectory() as folder:
        for name in ("pdf.min.mjs", "pdf.worker.min.mjs"):
            (Path(folder) / name).write_bytes((_PDFJS / name).read_bytes())
        copytree(_PDFJS.parents[1] / "standard_fonts", Path(folder) / "standard_fonts")
        (Path(folder) / "long.pdf").write_bytes(data)
        (Path(folder) / "index.html").write_text("<!DOCTYPE html><body></body>")
        handler = partial(_Quiet, directory=folder)
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, *_: object) -> None:
        pass


def _responds(origin: str) -> bool:
    try:
        return httpx.get(origin, timeout=1).is_success
    except httpx.HTTPError:
        time.sleep(0.1)
        return False

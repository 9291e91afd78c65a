"""The text of a PDF's pages as the reader finds it in Chromium, with its own build of pdf.js."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Error, Route, sync_playwright

from bench.chromium import launch_options
from nexus.config import PROJECT_ROOT

_WEB = PROJECT_ROOT / "apps" / "web"
_BENCH = PROJECT_ROOT / "bench"
_PDFJS = _WEB / "node_modules" / "pdfjs-dist"
_ORIGIN = "http://reader.test"
_MAX_MS = 180_000

_READ = """(longest) => {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("too late")), longest));
  const failed = ({ name, message }) => Promise.reject(new Error(`${name}: ${message}`));
  return Promise.race([read().catch(failed), late]);
  async function read() {
    const { FileRanges, openDocument, readPage } = NexusReader;
    const port = new Worker("/worker.mjs", { type: "module" });
    const fetchLink = async () => ({ url: "/file", expires_at: "" });
    const file = new FileRanges({ fetchLink, onReachable: () => undefined });
    const opened = await openDocument({
      file, beginning: file.begin(), port, onError: () => undefined,
    });
    const texts = [];
    for (let number = 1; number <= opened.document.numPages; number += 1) {
      const page = await opened.document.getPage(number).catch(() => null);
      texts.push(page && (await readPage(page).then(({ text }) => text, () => null)));
      page?.cleanup();
    }
    await opened.close();
    port.terminate();
    return texts;
  }
}"""


class PageReader:
    """Reads one file after the other."""

    def __init__(self, browser: Browser, script: str) -> None:
        self._browser, self._script = browser, script

    def texts(self, file: Path) -> list[str | None] | str:
        """The text of each page, None for one that cannot be read; or why there are none."""
        page = self._browser.new_page()
        page.route(f"{_ORIGIN}/**", lambda route: _serve(route, file))
        try:
            page.goto(_ORIGIN)
            page.add_script_tag(content=self._script)
            found: list[str | None] = page.evaluate(_READ, _MAX_MS)
        except Error as error:
            return error.message.splitlines()[0]
        finally:
            page.close()
        return found


@contextmanager
def page_reader() -> Iterator[PageReader]:
    bundled = subprocess.run(
        ["node", str(_BENCH / "bundle-reader.mjs"), "../../bench/reader-pages.mjs"],
        cwd=_WEB,
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        try:
            yield PageReader(browser, bundled.stdout)
        finally:
            browser.close()


def _serve(route: Route, file: Path) -> None:
    path = route.request.url.removeprefix(_ORIGIN)
    if path == "/":
        route.fulfill(body="<!DOCTYPE html><title>PDF</title>", content_type="text/html")
    elif path == "/file":
        route.fulfill(path=file, content_type="application/pdf")
    elif path == "/worker.mjs":
        worker = _PDFJS / "legacy" / "build" / "pdf.worker.min.mjs"
        route.fulfill(path=worker, content_type="text/javascript")
    else:
        # `/assets/pdfjs-5.5.207/cmaps/…`
        data = _PDFJS.joinpath(*path.split("/")[3:])
        route.fulfill(path=data) if data.is_file() else route.fulfill(status=404)

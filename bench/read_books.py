"""`python -m bench.read_books FOLDER`: uploads every EPUB of a folder to a Nexus of its own.

One line each: how it ended, seconds and the extractor's largest memory. What is ready is read in
Chromium from its first chapter to its last (`--no-browser` leaves that out): the text must be the
server's, 200 highlights drawn exactly, every link lead to its place and back, and nothing be asked
for elsewhere. Everything else is a problem, and the run fails. `--every` is for books with
thousands of links, each of which takes a second.
"""

import argparse
import sys
import time
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

from bench.book_checks import check, highlight, load_text
from bench.book_source import links_in_file, links_in_text
from bench.chromium import launch_options
from bench.front import Reader, front, signed_up
from bench.peak import largest_child
from bench.ports import free_port
from bench.stack import nexus_stack

_MAX_MIB = 512
_READER = "nexus.extractors.epub.reader"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.read_books", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--no-browser", action="store_true", help="only until ready or failed")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="click only every n-th link of a chapter"
    )
    arguments = parser.parse_args()
    files = sorted(each for each in arguments.folder.glob("**/*.epub") if each.is_file())
    problems = 0
    with (
        nexus_stack(redis=True, port=free_port()) as stack,
        stack.api(),
        stack.program("worker") as worker,
        front(stack) as origin,
        sync_playwright() as playwright,
    ):
        browser = None if arguments.no_browser else playwright.chromium.launch(**launch_options())
        for file in files:
            with signed_up(origin) as reader:
                found = _read(file, reader, worker.pid, browser, arguments.every)
            problems += len(found)
            for problem in found:
                print(f"    {problem}", flush=True)
    print(f"{len(files)} files, {problems} problems")
    return 1 if problems else 0


def _read(
    file: Path, reader: Reader, worker: int, browser: Browser | None, every: int
) -> list[str]:
    """Prints the line of one file; what was wrong."""
    started = time.monotonic()
    try:
        with largest_child(worker, _READER) as peak:
            media_id = reader.upload(file.read_bytes(), kind="epub", name=file.name)
            media = reader.wait_for(media_id)
    except httpx.HTTPStatusError as error:
        body = error.response.text[:200]
        print(f"{file.name:44.44} refused: {error.response.status_code} {body}", flush=True)
        return [] if error.response.status_code < 500 else ["a fault of the server"]
    except TimeoutError as error:
        return [f"{file}: {error}"]
    held = peak[0] // 2**20
    outcome = media["last_error_code"] or "ready"
    print(
        f"{file.name:44.44} {time.monotonic() - started:6.1f} s {held:4} MiB  {outcome}", flush=True
    )
    problems = [f"{held} MiB"] if held > _MAX_MIB else []
    if outcome == "ready" and browser:
        problems += _read_in_browser(file, reader, media_id, browser, every)
    return problems


def _read_in_browser(
    file: Path, reader: Reader, media_id: str, browser: Browser, every: int
) -> list[str]:
    started = time.monotonic()
    text = load_text(reader, media_id)
    highlights = highlight(reader, text)
    findings = check(browser, reader, text, every=every)
    ours, theirs = links_in_text(text.fragments), links_in_file(file)
    lost = [f"not in the text: {link}" for link in (theirs - ours).elements()]
    wrong = [f"not in the file: {link}" for link in (ours - theirs).elements()]
    print(
        f"    {findings.chapters} of {len(text.fragments)} chapters the same,"
        f" {highlights} highlights, {findings.links} of {theirs.total()} links followed"
        f" ({findings.notes} of them open notes), {time.monotonic() - started:.0f} s",
        flush=True,
    )
    return [*findings.problems, *lost, *wrong]


if __name__ == "__main__":
    sys.exit(main())

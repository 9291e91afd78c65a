"""`python -m bench.draw_pdfs FOLDER`: highlights every PDF of a folder in a Nexus of its own.

Up to 200 random passages of each file are highlighted and compared with what Chromium paints, on
every page in page view and over the whole text in text view. One line each; what differs is a
problem, and the run fails.
"""

import argparse
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.book_checks import Text, highlight, load_text
from bench.chromium import launch_options
from bench.front import Reader, front, signed_up
from bench.painted import COLORS, PAINTED, expected_pieces
from bench.ports import free_port
from bench.stack import nexus_stack
from nexus.waiting import wait_until

# What is painted on one page, in the order of its text.
_PAINTED_ON = """([number, colors]) => {
  const page = document.querySelectorAll(".pdf-page");
  const here = [...page].find((one) =>
    one.getAttribute("aria-label").startsWith(`Page ${number} of`));
  if (!here?.querySelector(".pdf-text-end")) return null;
  const drawn = colors.flatMap((color) =>
    [...(CSS.highlights.get(`nexus-${color}`) ?? [])]
      .filter((piece) => here.contains(piece.startContainer))
      .map((piece) => {
        const range = document.createRange();
        range.setStart(piece.startContainer, piece.startOffset);
        range.setEnd(piece.endContainer, piece.endOffset);
        return { color, range };
      }));
  drawn.sort((a, b) => a.range.compareBoundaryPoints(Range.START_TO_START, b.range));
  return drawn.map(({ color, range }) => [range.toString(), color]);
}"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.draw_pdfs", description=__doc__)
    parser.add_argument("folder", type=Path)
    files = sorted(parser.parse_args().folder.glob("**/*.pdf"))
    problems = 0
    with (
        nexus_stack(redis=True, port=free_port()) as stack,
        stack.api(),
        stack.program("worker"),
        front(stack) as origin,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options())
        for file in files:
            with signed_up(origin) as reader:
                problems += _draw(browser, reader, file)
    print(f"{len(files)} files, {problems} problems")
    return 1 if problems else 0


def _draw(browser: Browser, reader: Reader, file: Path) -> int:
    media_id = reader.upload(file.read_bytes(), kind="pdf", name=file.name)
    media = reader.wait_for(media_id)
    if media["last_error_code"]:
        print(f"{file.name:36.36} {media['last_error_code']}", flush=True)
        return 0
    text = load_text(reader, media_id)
    count = highlight(reader, text, whole_letters=True)
    if not count:
        print(f"{file.name:36.36} no text", flush=True)
        return 0
    page = reader.tab(browser, reduced_motion="reduce")
    wrong = [*_wrong_pages(page, reader, text), *_wrong_in_text(page, text)]
    page.context.close()
    print(f"{file.name:36.36} {count} highlights, wrong: {wrong or 'none'}", flush=True)
    return len(wrong)


def _wrong_pages(page: Page, reader: Reader, text: Text) -> list[str]:
    outline = reader.get(f"/media/{text.media_id}/outline")["pages"]
    whole = text.fragments[0]["canonical_text"]
    page.goto(f"/read/{text.media_id}")
    page.locator(".pdf-page > canvas").first.wait_for()
    ends = [*(one["offset"] for one in outline), len(whole)]
    field, wrong = page.get_by_label("Page, of"), []
    for index, (start, end) in enumerate(pairwise(ends)):
        wanted = _runs(expected_pieces(whole[start:end], _on(text, start, end)))
        if not wanted:
            continue
        label = str(outline[index]["label"] or outline[index]["number"])
        field.fill(label)
        field.press("Enter")

        def is_painted(label: str = label, wanted: object = wanted) -> bool:
            found = page.evaluate(_PAINTED_ON, [label, list(COLORS)])
            return found is not None and _runs(found) == wanted

        if not wait_until(is_painted, within=10, every=0.05):
            found = page.evaluate(_PAINTED_ON, [label, list(COLORS)])
            # A jump that was lost is another fault than a highlight that is.
            what = f"not shown, but {field.input_value()}" if found is None else f"has {found}"
            wrong.append(f"page {index + 1} {what}")
    return wrong


def _wrong_in_text(page: Page, text: Text) -> list[str]:
    whole = text.fragments[0]["canonical_text"]
    page.get_by_role("button", name="Show as running text").click()
    wanted = _runs(expected_pieces(whole, text.highlights[0]))

    def is_painted() -> bool:
        return _runs(page.evaluate(PAINTED, list(COLORS))) == wanted

    return [] if wait_until(is_painted, within=10, every=0.1) else ["text view"]


def _on(text: Text, start: int, end: int) -> list[dict[str, Any]]:
    """The highlights of a page, as offsets in its own text."""
    return [
        {
            **one,
            "start_offset": max(0, one["start_offset"] - start),
            "end_offset": min(end, one["end_offset"]) - start,
        }
        for one in text.highlights[0]
        if one["start_offset"] < end and one["end_offset"] > start
    ]


def _runs(pieces: list[list[str]]) -> list[tuple[str, str]]:
    """Neighbours of one color as one piece, without what the rule drops from a page's text."""
    runs: list[tuple[str, str]] = []
    for words, color in pieces:
        shown = "".join(c for c in words if not c.isspace() and unicodedata.category(c) != "Cc")
        if runs and runs[-1][1] == color:
            runs[-1] = (runs[-1][0] + shown, color)
        elif shown:
            runs.append((shown, color))
    return [(unicodedata.normalize("NFC", words), color) for words, color in runs]


if __name__ == "__main__":
    sys.exit(main())

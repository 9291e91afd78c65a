"""A book in Chromium: its text is the server's, highlights are exact, links lead where they say."""

import random
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request

from bench.front import Reader
from bench.painted import COLORS, PAINTED, expected_pieces, letters, random_spans
from nexus.config import PROJECT_ROOT
from nexus.waiting import wait_until

HIGHLIGHTS = 200
_SCRIPT = Path(__file__).parent / "book-checks.js"
_BUNDLER = Path(__file__).parent / "bundle-reader.mjs"
_LINK = re.compile(r'<a href="#offset-(\d+)-(\d+)"')
_OPEN_MS = 30_000


@dataclass
class Findings:
    """What was looked at in one book, and everything that was wrong."""

    chapters: int = 0
    highlights: int = 0
    links: int = 0
    notes: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass
class Text:
    """A book as the server has it; highlights by the number of their chapter."""

    media_id: str
    fragments: list[dict[str, Any]]
    highlights: dict[int, list[dict[str, Any]]] = field(default_factory=dict)

    def expected(self, there: list[int]) -> list[list[str]]:
        """What must be painted on these chapters."""
        return [
            piece
            for index in there
            for piece in expected_pieces(
                self.fragments[index]["canonical_text"], self.highlights.get(index, [])
            )
        ]

    def targets(self, index: int) -> list[dict[str, int]]:
        """Where the links of a chapter lead to."""
        found = _LINK.findall(self.fragments[index]["html_sanitized"])
        by_number = {fragment["idx"]: at for at, fragment in enumerate(self.fragments)}
        return [{"index": by_number[int(to)], "offset": int(offset)} for to, offset in found]


# Of one moment.
_SHOWN_AND_PAINTED = f"""(colors) => [
  [...document.querySelectorAll("[data-chapter]")].map((one) => Number(one.dataset.chapter)),
  ({PAINTED})(colors),
]"""


def load_text(reader: Reader, media_id: str) -> Text:
    return Text(media_id, reader.get(f"/media/{media_id}/fragments")["fragments"])


def highlight(reader: Reader, text: Text, *, whole_letters: bool = False) -> int:
    """Highlights passages all over the book; how many."""
    chance = random.Random(7)
    counts = [0] * len(text.fragments)
    weights = [len(letters(each["canonical_text"])) for each in text.fragments]
    if not any(weights):
        return 0
    # At least one in every chapter, where there are enough of them.
    full = [at for at, weight in enumerate(weights) if weight]
    rest = chance.choices(range(len(weights)), weights, k=max(0, HIGHLIGHTS - len(full)))
    for at in [*chance.sample(full, min(len(full), HIGHLIGHTS)), *rest]:
        counts[at] += 1
    for at, (fragment, count) in enumerate(zip(text.fragments, counts, strict=True)):
        words = fragment["canonical_text"]
        spans = random_spans(words, count, seed=at, whole_letters=whole_letters)
        for number, (start, end) in enumerate(spans):
            passage = {
                "start_offset": start,
                "end_offset": end,
                "color": COLORS[number % len(COLORS)],
                "exact": words[start:end],
                "prefix": words[max(0, start - 64) : start],
                "suffix": words[end : end + 64],
            }
            made = reader.post(f"/fragments/{fragment['id']}/highlights", passage)
            text.highlights.setdefault(at, []).append(made)
    return sum(map(len, text.highlights.values()))


def check(browser: Browser, reader: Reader, text: Text, *, every: int) -> Findings:
    """Scrolls through the whole book, then follows every n-th link."""
    findings = Findings()
    with _open(browser, reader, text, findings) as page:
        _scroll_through(page, text, findings)
    with _open(browser, reader, text, findings) as page:
        for index in range(len(text.fragments)):
            _follow_links(page, text, index, findings, every=every)
    return findings


@contextmanager
def _open(browser: Browser, reader: Reader, text: Text, findings: Findings) -> Iterator[Page]:
    """The book from its first chapter on; nothing may leave the origin or be an error meanwhile."""
    page = reader.tab(browser, reduced_motion="reduce")
    problems = findings.problems

    def on_console(said: ConsoleMessage) -> None:
        if said.type == "error":
            problems.append(f"says {said.text}")

    def on_request(asked: Request) -> None:
        if not asked.url.startswith((reader.origin, "data:", "blob:")):
            problems.append(f"asked for {asked.url}")

    page.on("pageerror", lambda error: problems.append(f"exception: {error}"))
    page.on("console", on_console)
    page.on("request", on_request)
    with page.expect_response(f"**/media/{text.media_id}/reading", timeout=_OPEN_MS):
        page.goto(f"/read/{text.media_id}#offset-{text.fragments[0]['idx']}-0")
    page.locator('[data-chapter="0"]').wait_for(state="attached", timeout=_OPEN_MS)
    page.evaluate(f"{_canonical_module()}; globalThis.NexusReader = NexusReader;")
    page.evaluate(_SCRIPT.read_text())
    try:
        yield page
    except Error as error:
        problems.append(error.message.splitlines()[0])
    finally:
        page.context.close()


def _scroll_through(page: Page, text: Text, findings: Findings) -> None:
    seen: set[int] = set()
    before: list[int] = []
    page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
    more = True
    while more:
        found = page.evaluate("(seen) => bookChecks.there(seen)", list(seen))
        for index, shown in found:
            if shown is None:
                continue
            seen.add(index)
            if shown != text.fragments[index]["canonical_text"]:
                findings.problems.append(f"chapter {index}: another text than the server's")
        there = [index for index, _ in found]
        if there != before:
            _compare_painted(page, text, there, findings)
        before = there
        more = page.evaluate("() => bookChecks.scrollOn()")
    findings.chapters = len(seen)
    missing = set(range(len(text.fragments))) - seen
    if missing:
        findings.problems.append(f"never shown: {sorted(missing)}")
    broken = page.locator("img[data-broken]").count()
    if broken:
        findings.problems.append(f"{broken} pictures did not load")


def _compare_painted(page: Page, text: Text, there: list[int], findings: Findings) -> None:
    """Chapters that have just come are painted with the next frame; more may come meanwhile."""

    def is_painted() -> bool:
        shown, painted = page.evaluate(_SHOWN_AND_PAINTED, list(COLORS))
        return [piece for piece in painted if piece[0]] == text.expected(shown)

    if not wait_until(is_painted, within=5, every=0.05):
        findings.problems.append(f"painted otherwise on chapters {there[0]} to {there[-1]}")


def _follow_links(page: Page, text: Text, index: int, findings: Findings, *, every: int) -> None:
    count = page.evaluate("(index) => bookChecks.reach(index)", index)
    targets = text.targets(index)
    if count != len(targets):
        findings.problems.append(f"chapter {index}: {count} links, {len(targets)} on the server")
        return
    for number, place in [*enumerate(targets)][::every]:
        try:
            note = page.evaluate("(which) => bookChecks.follow(which)", [index, number, place])
        except Error as error:
            what = error.message.splitlines()[0]
            findings.problems.append(f"chapter {index}, link {number}: {what}")
            page.keyboard.press("Escape")
            continue
        findings.links += 1
        if note is not None:
            findings.notes += 1
            _compare_note(text, place, note, findings)


def _compare_note(text: Text, place: dict[str, int], note: str, findings: Findings) -> None:
    """A note shows the words at its place, less its number and the ways back."""
    there = text.fragments[place["index"]]["canonical_text"][place["offset"] :]
    begins = letters(note)[:12]
    if begins not in letters(there[: len(note) + 200]):
        findings.problems.append(f"the note {note[:40]!r} is not what stands at {place}")


@cache
def _canonical_module() -> str:
    return subprocess.run(
        ["node", str(_BUNDLER), "src/canonical/index.ts"],
        cwd=PROJECT_ROOT / "apps" / "web",
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout

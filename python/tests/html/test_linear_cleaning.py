"""What cleaning costs grows with the length of a page, and no faster, whatever is in it."""

import contextlib
import time
from pathlib import Path

import psutil
import pytest

from nexus.html import cleaning
from nexus.html.canonicalize import canonicalize
from nexus.html.cleaner import clean
from nexus.html.sanitize import SanitizationError, sanitize_html
from nexus.html.text import MAX_COMBINING_RUN
from tests.html.hostile_html import MARKS, SHAPES, Shape
from tests.steps import steps

BASE = "https://example.org/"
MiB = 1024 * 1024
COUNTED_SIZE = 20_000
# Lines of Python for a character. The dearest shape takes 62, a quadratic one at least 300.
MOST_STEPS = 100
SIZE = 50_000
GROWTH = 4
# Four times the time for four times the length; sixteen times would be quadratic.
MOST_GROWTH = 9
TRIES = 3
# Shorter times say nothing.
SECONDS = 0.05


def seconds_to_clean(html: str) -> float:
    """Processor time, so that a busy machine does not count."""
    began = time.process_time()
    with contextlib.suppress(SanitizationError):  # said at once, which is what is measured
        clean(html, BASE)
    return time.process_time() - began


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_steps_are_as_many_as_characters_allow(shape: Shape) -> None:
    html = shape(COUNTED_SIZE)

    def work() -> None:
        with contextlib.suppress(SanitizationError):
            clean(html, BASE)

    assert steps(work) < MOST_STEPS * COUNTED_SIZE


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_cost_grows_with_length(shape: Shape) -> None:
    growth = []
    for _ in range(TRIES):
        short, long = seconds_to_clean(shape(SIZE)), seconds_to_clean(shape(SIZE * GROWTH))
        growth.append(long / short)
        if long < SECONDS or growth[-1] <= MOST_GROWTH:
            return
    pytest.fail(f"{GROWTH} times the length took {min(growth):.1f} times as long")


# What once took between 23 and 74 seconds, or 787 MB.
ONCE_SLOW = {
    "marks": lambda: "a" + MARKS * 150_000,
    "picture": lambda: "<picture>" + "<source srcset=:>" * 6000 + "<img>" * 6000 + "</picture>",
    "srcset": lambda: f'<img data-srcset="a {"1" * 34_000}"><img data-srcset="a {"(" * 34_000}">',
    "attributes": lambda: f"<p {' '.join(f'a{i}' for i in range(60_000))}>x",
    "formatting": lambda: "".join(f"<b id=x{i}>" for i in range(1990)) + "<p>x" * 1990,
}


@pytest.mark.heavy
@pytest.mark.parametrize("name", ONCE_SLOW)
def test_what_was_slow_or_large_is_neither(name: str) -> None:
    html = ONCE_SLOW[name]()
    assert seconds_to_clean(html) < 2
    cleaning.warm_up()
    with contextlib.suppress(cleaning.CleaningFailed):
        cleaning.clean_page(html, BASE)
    assert cleaning._process is not None
    assert peak(cleaning._process.pid) < 200 * MiB


def peak(pid: int) -> int:
    """The most memory a process ever had resident."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return int(psutil.Process(pid).memory_info().rss)
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


def test_too_many_attributes_are_refused_in_words() -> None:
    with pytest.raises(SanitizationError, match="more than 256 attributes"):
        sanitize_html(ONCE_SLOW["attributes"](), BASE)


def test_few_marks_stay_and_many_are_cut() -> None:
    kept = "x" + "\u0301" * MAX_COMBINING_RUN
    assert sanitize_html(kept, BASE) == kept
    cut = sanitize_html(f"<p>e{MARKS * 100} next</p><img src=a alt='{MARKS * 100}'>", BASE)
    assert canonicalize(cut).endswith(" next")
    assert len(canonicalize(cut)) <= len("e next") + MAX_COMBINING_RUN
    assert sanitize_html(cut, BASE) == cut


def test_a_script_full_of_comparisons_is_no_tag_full_of_attributes() -> None:
    script = f"<script>if (a<b) {{ {'x y '.join('' for _ in range(2000))} }}</script>"
    assert sanitize_html(f"{script}<p>text</p>", BASE) == "<p>text</p>"


def test_a_picture_still_finds_its_sources() -> None:
    html = (
        '<picture><source srcset="small.webp 300w, large.webp 1200w"><img alt="first"></picture>'
        '<picture><source srcset="data:x"><source srcset="b.png 2x"><img alt="second"></picture>'
    )
    assert [part in sanitize_html(html, BASE) for part in ("large.webp", "b.png")] == [True, True]

"""Generated HTML through the sanitizer, both canonicalizers and Chromium's own parser."""

import re
from html import unescape
from unicodedata import is_normalized

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nexus.html.canonicalize import canonical_map, canonicalize
from nexus.html.page import read_page
from nexus.html.sanitize import (
    ALLOWLIST,
    SanitizedHtml,
    sanitize_html,
    write_normal_form,
)
from nexus.html.urls import UrlResolver
from tests.canonical.generated import (
    Element,
    WrittenTree,
    trees,
    wild_formulas,
    wild_html,
    wild_links,
)
from tests.canonical.twin import Twin

BASE = "https://example.org/a/b.html"
# Many documents per example, because each example costs a call into the browser.
wild_documents = st.lists(st.one_of(wild_html, wild_formulas), min_size=10, max_size=30)
browser_settings = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@browser_settings
@given(documents=wild_documents)
def test_server_and_browser_never_differ(twin: Twin, documents: list[str]) -> None:
    sanitized = [sanitize_html(html, BASE) for html in documents]
    for html, reading in zip(sanitized, twin.read(list(sanitized)), strict=True):
        assert sanitize_html(html, BASE) == html
        assert reading.as_part == html
        assert reading.as_document == html
        expected = canonical_map(html)
        assert reading.text == expected.text
        assert reading.nodes == expected.nodes


def test_runs_of_marks_are_read_alike(twin: Twin) -> None:
    marks = "\u0301\u0323"
    hostile = [
        f"<p>a{marks * 150_000}</p>",
        "<p>" + f"a{marks * 15} " * 5_000 + "</p>",
        "\u0f73" * 100_000,
        f"\u2adc{marks * 20}\u1161" * 1_000,
    ]
    sanitized = [sanitize_html(html, BASE) for html in hostile]
    readings = twin.read(list(sanitized))
    for html, reading in zip(sanitized, readings, strict=True):
        assert sanitize_html(html, BASE) == html
        assert reading.text == canonical_map(html).text


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(html=st.one_of(wild_html, wild_formulas))
def test_the_normal_form_is_reached_at_once(html: str) -> None:
    written = write_normal_form(html, UrlResolver(BASE))
    assert ALLOWLIST.clean(written) == written
    for text in re.split("<[^>]*>", written):
        assert is_normalized("NFC", unescape(text))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(html=wild_links)
def test_anchors_change_nothing_but_links(html: str) -> None:
    page = read_page(html, BASE)
    assert sanitize_html(page.html, BASE) == page.html
    assert canonicalize(page.html) == page.text
    assert re.sub(' href="#offset-[^"]*"', "", page.html).count("#link-") == 0
    for offset in page.anchors.values():
        assert page.text == "" or not page.text[offset].isspace()


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(root=trees)
def test_no_word_is_joined_split_or_lost(root: Element) -> None:
    written = WrittenTree(root)
    assert canonicalize(sanitize_html(written.html, BASE)).split() == written.words


@settings(max_examples=300, deadline=None)
@given(html=st.one_of(wild_html, wild_formulas))
def test_the_map_tells_what_each_node_gave(html: str) -> None:
    reading = canonical_map(SanitizedHtml(sanitize_html(html, BASE)))
    position = 0
    for start, end in reading.nodes:
        assert position <= start <= end <= len(reading.text)
        assert reading.text[position:start].strip("\n") in ("", " ")
        position = end
    assert position == len(reading.text)

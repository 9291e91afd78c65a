import json

import pytest

from nexus.html.canonicalize import (
    EmptyArticleError,
    canonical_map,
    canonicalize,
    canonicalize_article,
)
from nexus.html.sanitize import SanitizedHtml, sanitize_html
from tests.browser import REPOSITORY

CASES = json.loads((REPOSITORY / "canonical" / "cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_shared_case(case: dict[str, object]) -> None:
    reading = canonical_map(SanitizedHtml(str(case["html"])))
    assert reading.text == case["text"]
    assert [list(node) for node in reading.nodes] == case["nodes"]


@pytest.mark.parametrize("html", ["", "<p> </p>", '<p><img src="https://example.org/a.png"></p>'])
def test_an_article_without_text_is_refused(html: str) -> None:
    sanitized = sanitize_html(html, "https://example.org/")
    assert canonicalize(sanitized) == ""
    with pytest.raises(EmptyArticleError, match="No article text"):
        canonicalize_article(sanitized)


def test_an_article_with_text_is_accepted() -> None:
    assert canonicalize_article(sanitize_html("<p>a</p>", "https://example.org/")) == "a"

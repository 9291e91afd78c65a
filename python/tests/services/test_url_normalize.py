"""URLs of saved pages: which are taken, the form shown, the form compared."""

import pytest

from nexus.errors import InvalidRequestError
from nexus.services.url_normalize import (
    normalize_url_for_dedup,
    normalize_url_for_display,
    validate_requested_url,
)

DISPLAYED = {
    "HTTPS://Example.ORG/A?B=C#d": "https://example.org/A?B=C",
    "http://example.org:80/": "http://example.org:80/",
    "https://EXAMPLE.org:8443": "https://example.org:8443",
    "https://example.org/?utm_source=x&b=2&a=1": "https://example.org/?utm_source=x&b=2&a=1",
    "https://example.org/a b": "https://example.org/a b",
    "https://Bücher.example/Ü": "https://bücher.example/Ü",
    " https://example.org/a\n": "https://example.org/a",
    "https:\\\\Example.org\\a": "https://example.org/a",
    "https://example.org/a?b\\c": "https://example.org/a?b\\c",
    "https://example.org/#a?b": "https://example.org/",
    "https://example.org/?a#b#c": "https://example.org/?a",
    "https://[2606:4700::ABCD]/": "https://[2606:4700::abcd]/",
    "https://example.org/a;b=c/d": "https://example.org/a;b=c/d",
}

COMPARED = {
    "HTTPS://Example.ORG/A?B=C#d": "https://example.org/A?B=C",
    "http://example.org:80": "http://example.org/",
    "https://example.org:443/#": "https://example.org/",
    "https://example.org/?utm_source=x": "https://example.org/?utm_source=x",
    "https://bücher.example/ü": "https://xn--bcher-kva.example/%C3%BC",
    "https://example.org/a/../b": "https://example.org/b",
}


@pytest.mark.parametrize("url", DISPLAYED, ids=ascii)
def test_display_form(url: str) -> None:
    shown = normalize_url_for_display(url)
    assert shown == DISPLAYED[url]
    assert normalize_url_for_display(shown) == shown


@pytest.mark.parametrize("url", COMPARED, ids=ascii)
def test_identity(url: str) -> None:
    identity = normalize_url_for_dedup(url)
    assert identity == COMPARED[url]
    assert normalize_url_for_dedup(identity) == identity


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "ftp://example.org/",
        "/relative",
        "https://",
        "http://user:pass@example.org/",
        "http://printer.local/",
        "http://169.254.169.254/latest/meta-data/",
        "https://example.org/" + "a" * 2029,
    ],
)
def test_refused_for_saving(url: str) -> None:
    with pytest.raises(InvalidRequestError) as raised:
        validate_requested_url(url)
    assert raised.value.code == "E_INVALID_REQUEST"

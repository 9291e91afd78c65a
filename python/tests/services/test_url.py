"""Addresses given to POST /media/url: what is refused, and the one form of what is taken."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nexus.errors import InvalidRequestError
from nexus.services.url import canonicalize_url, validate_url

CANONICAL = {
    # scheme, host, port, fragment
    "HTTPS://Example.ORG/Path": "https://example.org/Path",
    "http://example.org": "http://example.org/",
    "http://example.org:80/a": "http://example.org/a",
    "https://example.org:443/a": "https://example.org/a",
    "https://example.org:/a": "https://example.org/a",
    "http://example.org:443/a": "http://example.org:443/a",
    "https://example.org:8443/a": "https://example.org:8443/a",
    "https://example.org:00443/a": "https://example.org/a",
    "https://example.org/a#part": "https://example.org/a",
    "https://example.org/a#": "https://example.org/a",
    "https://example.org/a#?utm_source=x": "https://example.org/a",
    "https://example.org/a?b=1#c?d#e": "https://example.org/a?b=1",
    # tracking parameters, everywhere, in every spelling
    "https://example.org/?utm_source=x": "https://example.org/",
    "https://example.org/?utm_source=x&b=1": "https://example.org/?b=1",
    "https://example.org/?a=1&gclid=x&b=2": "https://example.org/?a=1&b=2",
    "https://example.org/?a=1&fbclid=x": "https://example.org/?a=1",
    "https://example.org/?utm_=1&utm_anything_at_all": "https://example.org/",
    "https://example.org/?UTM_Medium=x&GCLID=y&FbClid=z&Q=1": "https://example.org/?Q=1",
    "https://example.org/?%75tm_source=x&a=1": "https://example.org/?a=1",
    "https://example.org/?utm%5Fsource=x&a=1": "https://example.org/?a=1",
    "https://example.org/?fbclid=a&fbclid=b": "https://example.org/",
    # what only looks like tracking stays
    "https://example.org/?xutm_source=1": "https://example.org/?xutm_source=1",
    "https://example.org/?utm=1": "https://example.org/?utm=1",
    "https://example.org/?gclid2=1&my_gclid=2": "https://example.org/?gclid2=1&my_gclid=2",
    "https://example.org/?q=utm_source%3Dx": "https://example.org/?q=utm_source%3Dx",
    "https://example.org/utm_source=x": "https://example.org/utm_source=x",
    # order, repetition, emptiness
    "https://example.org/?b=2&a=1&b=1": "https://example.org/?b=2&a=1&b=1",
    "https://example.org/?a=&b&=c": "https://example.org/?a=&b&=c",
    "https://example.org/?": "https://example.org/",
    "https://example.org/?&a=1&&b=2&": "https://example.org/?a=1&b=2",
    "https://example.org/?a=1;b=2": "https://example.org/?a=1;b=2",
    "https://example.org/?next=http://x.org/?a=1": "https://example.org/?next=http://x.org/?a=1",
    # what browsers do
    "  https://example.org/a \n": "https://example.org/a",
    "https://exam\nple.org/\ta": "https://example.org/a",
    "https:\\\\example.org\\a\\b": "https://example.org/a/b",
    "https://example.org/a b?c d": "https://example.org/a%20b?c%20d",
    "https://example.org/a/../b/./c": "https://example.org/b/c",
    "https://example.org/%41%2f": "https://example.org/%41%2f",
    "https://b%C3%BCcher.example/": "https://xn--bcher-kva.example/",
    "https://ex%61mple.org/": "https://example.org/",
    "https://Bücher.example/ü": "https://xn--bcher-kva.example/%C3%BC",
    "https://例え.jp/": "https://xn--r8jz45g.jp/",
    "https://ｅｘａｍｐｌｅ．org/": "https://example.org/",
    "https://example.org./a": "https://example.org./a",
    "http://8.8.8.8/": "http://8.8.8.8/",
    "http://0x08080808/": "http://8.8.8.8/",
    "http://134744072/": "http://8.8.8.8/",
    "http://8.8.2056/": "http://8.8.8.8/",
    "http://[2606:4700:0:0:0:0:0:1111]:80/": "http://[2606:4700::1111]/",
    "http://[2606:4700::1111]:8080/": "http://[2606:4700::1111]:8080/",
    "https://example.org/@user": "https://example.org/@user",
    "https://example.org?a@b": "https://example.org/?a@b",
}


@pytest.mark.parametrize("url", CANONICAL, ids=ascii)
def test_canonical_form(url: str) -> None:
    canonical = canonicalize_url(validate_url(url))
    assert canonical == CANONICAL[url]
    assert canonicalize_url(validate_url(canonical)) == canonical


REFUSED = {
    "": "start with",
    "   ": "start with",
    "example.org": "start with",
    "//example.org/a": "start with",
    "/relative": "start with",
    "ftp://example.org/": "start with",
    "file:///etc/passwd": "start with",
    "data:text/html,hello": "start with",
    "javascript:alert(1)": "start with",
    "java\nscript:alert(1)": "start with",
    "mailto:a@example.org": "start with",
    "httpss://example.org/": "start with",
    "view-source:https://example.org/": "start with",
    "http:": "no host",
    "http://": "no host",
    "https:///x": "no host",
    "https:x": "no host",
    "https:/x": "no host",
    "http://?q": "no host",
    "http://#f": "no host",
    "http://:80/": "not a valid",
    "http://@example.org/": "user name",
    "http://user@example.org/": "user name",
    "http://user:secret@example.org/": "user name",
    "http://:@example.org/": "user name",
    "http://a@b@example.org/": "user name",
    "http:\\\\user@example.org": "user name",
    "http://exa mple.org/": "not a valid",
    "http://exa%20mple.org/": "not a valid",
    "http://example.org:port/": "not a valid",
    "http://example.org:65536/": "not a valid",
    "http://example.org:-1/": "not a valid",
    "http://[::1/": "not a valid",
    "http://[:::1]/": "not a valid",
    "http://::1/": "not a valid",
    "http://[example.org]/": "not a valid",
    "http://256.1.1.1/": "not a valid",
    "http://1.2.3.4.5/": "not a valid",
    "http://exa<mple.org/": "not a valid",
    "http://exa|mple.org/": "not a valid",
    "http://ex\x01ample.org/": "not a valid",
    "http://ex\x7fample.org/": "not a valid",
    "http://example.org%2fpath/": "not a valid",
    "http://\u00ad/": "not a valid",
    "http://example.org/\x00": "not allowed",
    "http://example.org/\ud800": "not allowed",
    "http://printer.local/": "not public",
    "http://printer.local./": "not public",
    "http://printer.local:8080/": "not public",
    "https://Git.Internal/a": "not public",
    "http://nas.lan/": "not public",
    "http://router.home.arpa/": "not public",
    "http://10.0.0.1/": "not public",
    "http://192.168.1.1:8080/": "not public",
    "http://0xa9fea9fe/": "not public",
    "http://[fe80::1]/": "not public",
    "http://[fd00::1]/": "not public",
}


@pytest.mark.parametrize("url", REFUSED, ids=ascii)
def test_refused_with_the_reason(url: str) -> None:
    with pytest.raises(InvalidRequestError) as raised:
        validate_url(url)
    assert (raised.value.code, raised.value.status) == ("E_INVALID_URL", 400)
    assert raised.value.message.startswith("url: ")
    assert REFUSED[url] in raised.value.message


def _of_length(length: int) -> str:
    start = "https://example.org/"
    return start + "a" * (length - len(start))


def test_length_limit() -> None:
    assert canonicalize_url(validate_url(_of_length(2048))) == _of_length(2048)
    with pytest.raises(InvalidRequestError, match="2048"):
        validate_url(_of_length(2049))


def test_an_address_that_grows_past_the_index_is_refused_too() -> None:
    letters = "".join(chr(0x4E00 + index * 7) for index in range(1000))
    with pytest.raises(InvalidRequestError, match="too long once"):
        validate_url(f"https://example.org/{letters}")


words = st.text("abz019%+=._~ü", min_size=0, max_size=6)
names = st.sampled_from(["utm_source", "UTM_X", "gclid", "fbclid", "a", "b", "Utm", "q"])


@given(st.lists(st.tuples(names, words), max_size=6))
def test_canonical_form_is_a_fixed_point_without_tracking(pairs: list[tuple[str, str]]) -> None:
    query = "&".join(f"{name}={value.replace('=', '').replace('%', '')}" for name, value in pairs)
    canonical = canonicalize_url(validate_url(f"https://example.org/?{query}"))
    assert canonicalize_url(validate_url(canonical)) == canonical
    kept = [part.partition("=")[0] for part in urlsplit(canonical).query.split("&") if part]
    assert kept == [name for name, _ in pairs if name in {"a", "b", "Utm", "q"}]

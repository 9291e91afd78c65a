"""GET and HEAD /storage/…: signed, never rendered, one range at a time."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from nexus.storage.filenames import safe_filename

from .test_http_upload import BODY, PATH, Site, refusal, running_site

SIZE = len(BODY)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("data")) as site:
        site.put(site.sign())
        yield site


def link(site: Site, filename: str = "x.pdf") -> str:
    return site.origin + site.storage.sign_download(PATH, filename=filename).url


def test_a_download_is_never_rendered(site: Site) -> None:
    answer = site.browser.get(link(site))
    assert answer.status_code == 200
    assert answer.content == BODY
    expected = {
        "content-type": "application/pdf",
        "content-length": str(SIZE),
        "accept-ranges": "bytes",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "private, no-store",
        "content-disposition": "attachment; filename=\"x.pdf\"; filename*=UTF-8''x.pdf",
    }
    assert {name: answer.headers[name] for name in expected} == expected


def test_head_says_what_get_would(site: Site) -> None:
    url = link(site)
    get, head = site.browser.get(url), site.browser.head(url, headers={"Range": "bytes=0-1"})
    assert head.status_code == 200
    assert head.content == b""
    ignored = {"date"}
    assert {k: v for k, v in head.headers.items() if k not in ignored} == {
        k: v for k, v in get.headers.items() if k not in ignored
    }


@pytest.mark.parametrize(
    ("header", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=0-", 0, SIZE - 1),
        ("bytes=100-199", 100, 199),
        (f"bytes={SIZE - 1}-", SIZE - 1, SIZE - 1),
        ("bytes=-5", SIZE - 5, SIZE - 1),
        (f"bytes=0-{SIZE * 9}", 0, SIZE - 1),
        (f"bytes=-{SIZE * 9}", 0, SIZE - 1),
    ],
)
def test_a_range(site: Site, header: str, first: int, last: int) -> None:
    answer = site.browser.get(link(site), headers={"Range": header})
    assert answer.status_code == 206
    assert answer.headers["content-range"] == f"bytes {first}-{last}/{SIZE}"
    assert answer.content == BODY[first : last + 1]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("header", [f"bytes={SIZE}-", "bytes=-0", f"bytes={SIZE}-{SIZE + 4}"])
def test_a_range_behind_the_end(site: Site, header: str) -> None:
    answer = site.browser.get(link(site), headers={"Range": header})
    assert refusal(answer) == (416, "E_RANGE_NOT_SATISFIABLE")
    assert answer.headers["content-range"] == f"bytes */{SIZE}"


@pytest.mark.parametrize("header", ["bytes=5-1", "lines=0-1", "bytes=x", "bytes=0-1,5-6", "0-1"])
def test_a_range_that_is_none_is_ignored(site: Site, header: str) -> None:
    answer = site.browser.get(link(site), headers={"Range": header})
    assert answer.status_code == 200
    assert answer.content == BODY


def test_if_none_match(site: Site) -> None:
    whole = site.browser.get(link(site))
    etag = whole.headers["etag"]
    for condition in ("*", etag, f"W/{etag}", f'"other", {etag}'):
        for method in ("GET", "HEAD"):
            answer = site.browser.request(method, link(site), headers={"If-None-Match": condition})
            assert (answer.status_code, answer.content) == (304, b""), condition
            assert answer.headers["etag"] == etag
    unlike = {"If-None-Match": '"other"', "Range": "bytes=0-3"}
    answer = site.browser.get(link(site), headers=unlike)
    assert answer.status_code == 206


def test_if_range(site: Site) -> None:
    url = link(site)
    whole = site.browser.get(url)
    for condition, status in (
        (whole.headers["etag"], 206),
        (whole.headers["last-modified"], 206),
        ('"another"', 200),
        (f"W/{whole.headers['etag']}", 200),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 200),
    ):
        headers = {"Range": "bytes=0-3", "If-Range": condition}
        assert site.browser.get(url, headers=headers).status_code == status


@pytest.mark.parametrize(
    "filename",
    [
        "a\r\nSet-Cookie: x=1.pdf",
        'quote".pdf',
        "../../etc/passwd",
        "semi;colon=1.pdf",
        "日本語 📚.pdf",
        "100%41.pdf",
        "a&signature=b.pdf",
        "a+b.pdf",
    ],
)
def test_hostile_filenames(site: Site, filename: str) -> None:
    answer = site.browser.get(link(site, filename))
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    disposition = answer.headers["content-disposition"]
    assert unquote(disposition.rpartition("''")[2]) == safe_filename(filename)


def test_a_forged_or_old_link_is_refused(site: Site) -> None:
    url = link(site)
    forged = url.replace("filename=x.pdf", "filename=y.pdf")
    assert refusal(site.browser.get(forged)) == (403, "E_SIGNATURE_INVALID")
    old = site.storage.sign_download(PATH, filename="x.pdf", expires_in=0).url
    assert refusal(site.browser.get(site.origin + old)) == (403, "E_SIGNATURE_EXPIRED")
    bare = url.partition("?")[0]
    assert refusal(site.browser.get(bare)) == (403, "E_SIGNATURE_INVALID")


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        site.put(site.sign())
        url = link(site)
        site.storage.delete(PATH)
        assert refusal(site.browser.get(url)) == (404, "E_NOT_FOUND")


def test_a_deletion_does_not_break_a_running_download(tmp_path: Path) -> None:
    body = bytes(8 * 1024 * 1024)
    with running_site(tmp_path) as site:
        site.put(site.sign(size=len(body)), body)
        with site.browser.stream("GET", link(site)) as answer:
            chunks = answer.iter_raw(65536)
            received = len(next(chunks))
            site.storage.delete(PATH)
            received += sum(len(chunk) for chunk in chunks)
        assert received == len(body)


def test_a_client_that_leaves_does_not_stop_the_server(tmp_path: Path) -> None:
    body = bytes(8 * 1024 * 1024)
    with running_site(tmp_path) as site:
        site.put(site.sign(size=len(body)), body)
        url = link(site)
        for _ in range(3):
            with httpx.stream("GET", url) as answer:
                next(answer.iter_raw(1000))
        assert len(site.browser.get(url).content) == len(body)

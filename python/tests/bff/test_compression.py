"""JSON is sent compressed to our own pages, and to nobody else's."""

import gzip
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers

from nexus.bff.compression import may_compress
from tests.live import LiveNexus

OURS = {"sec-fetch-site": "same-origin", "accept-encoding": "gzip, br"}
LARGE = {"content-type": "application/json", "content-length": "20000"}


@pytest.mark.parametrize(
    ("request_changes", "response_changes", "compressed"),
    [
        ({}, {}, True),
        ({"accept-encoding": "br"}, {}, False),
        ({"accept-encoding": "gzip;q=0"}, {}, False),
        # Somebody else's page makes the browser ask, and may watch how long the response is.
        ({"sec-fetch-site": "cross-site"}, {}, False),
        ({"sec-fetch-site": "same-site"}, {}, False),
        ({"sec-fetch-site": "none"}, {}, False),
        ({}, {"content-length": "300"}, False),
        ({}, {"content-length": str(50 * 1024 * 1024)}, False),
        ({}, {"content-type": "text/event-stream"}, False),
        ({}, {"content-type": "image/png"}, False),
        ({}, {"content-encoding": "br"}, False),
    ],
)
def test_what_is_compressed(
    request_changes: dict[str, str], response_changes: dict[str, str], *, compressed: bool
) -> None:
    asked, sent = Headers({**OURS, **request_changes}), Headers({**LARGE, **response_changes})
    for https in (True, False):
        assert may_compress(asked, sent, https=https) is compressed


def test_browsers_that_do_not_say_who_asks() -> None:
    asked = Headers({"accept-encoding": "gzip"})
    assert may_compress(asked, Headers(LARGE), https=True) is False
    # Browsers say it to secure addresses only; on others everybody on the way reads all.
    assert may_compress(asked, Headers(LARGE), https=False) is True


def test_a_list_comes_through_whole(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        for number in range(12):
            address = f"https://www.youtube.com/watch?v=abcdefghi{number:02}"
            browser.post("/api/media/url", json={"kind": "video", "url": address})
        plain = browser.get("/api/media", headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        body, headers = _raw(browser, "/api/media", OURS)
    assert headers["content-encoding"] == "gzip"
    assert headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(body) == plain.content
    assert len(body) < len(plain.content) / 3


def _raw(browser: httpx.Client, path: str, headers: dict[str, str]) -> tuple[bytes, Any]:
    with browser.stream("GET", path, headers=headers) as answer:
        return b"".join(answer.iter_raw()), answer.headers

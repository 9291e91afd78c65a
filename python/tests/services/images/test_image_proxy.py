"""The image proxy over the live API, against a real site that behaves well or badly."""

import contextlib
import gzip
import hashlib
import itertools
import threading
import zlib
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from nexus.config import Environment, get_settings
from nexus.errors import ApiError
from nexus.images.fetch import FOR_A_READER, check_image_url, fetch_image
from nexus.outbound.limits import Limits
from tests.images.drawn import DRAWN
from tests.live import LiveNexus


def picture(size: tuple[int, int] = (4, 3), kind: str = "PNG") -> bytes:
    body = BytesIO()
    Image.new("RGB", size, "orange").save(body, kind)
    return body.getvalue()


def huge_png_header() -> bytes:
    """A PNG that says it is 60,000 pixels wide, without having them."""
    small = bytearray(picture())
    small[16:24] = (60_000).to_bytes(4, "big") * 2
    small[29:33] = zlib.crc32(small[12:29]).to_bytes(4, "big")
    return bytes(small)


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


class Site(BaseHTTPRequestHandler):
    """`/name` answers the body of that name; some names misbehave."""

    hits: list[str]
    pages: dict[str, tuple[str, bytes]]
    anything: list[bytes]
    """What `/anything` answers, head and all."""
    closing: threading.Event

    def do_GET(self) -> None:
        self.hits.append(self.path)
        name = self.path.split("?")[0]
        if name.startswith("/hop/"):
            hops = int(name.removeprefix("/hop/"))
            self._redirect(f"/hop/{hops - 1}" if hops > 1 else "/ok.png")
        elif name == "/to-private":
            self._redirect("http://169.254.169.254/latest/meta-data")
        elif name == "/to-file":
            self._redirect("file:///etc/passwd")
        elif name == "/hang-up":
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", "5000")
            self.end_headers()
            self.wfile.write(b"\x89PNG")
        elif name == "/anything":
            self.wfile.write(self.anything[0])
        elif name == "/circle":
            self._redirect("/circle")
        elif name == "/longer.png":
            self.wfile.write(IMAGE_HEAD + b"Content-Length: 10\r\n\r\n" + picture())
        elif name in FOR_EVER:
            first, again, pause = FOR_EVER[name]
            with contextlib.suppress(OSError):
                self.wfile.write(first)
                while not self.closing.wait(pause):
                    self.wfile.write(again)
        elif name in self.pages:
            content_type, body = self.pages[name]
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            if name in ("/gzipped.png", "/packed.png"):
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            # A reader that has seen enough hangs up.
            with contextlib.suppress(ConnectionError):
                self.wfile.write(body)
        else:
            self.send_error(404)

    def _redirect(self, location: str) -> None:
        self.send_response(302)
        self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        return


IMAGE_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"
TRICKLE_SECONDS = 0.01
# What comes first, what comes again and again, and the seconds between.
FOR_EVER = {
    "/endless.png": (IMAGE_HEAD + b"\r\n" + picture(), bytes(256 * 1024), 0),
    "/body-drip.png": (IMAGE_HEAD + b"\r\n" + picture(), b"x", TRICKLE_SECONDS),
    "/head-drip.png": (IMAGE_HEAD, b"X: y\r\n", TRICKLE_SECONDS),
    "/endless-head.png": (IMAGE_HEAD, b"X: " + b"y" * 8000 + b"\r\n", 0),
}

PAGES = {
    "/ok.png": ("image/png", picture()),
    "/ok.jpg": ("image/jpeg", picture(kind="JPEG")),
    "/ok.gif": ("image/gif", picture(kind="GIF")),
    "/ok.webp": ("image/webp", picture(kind="WEBP")),
    "/lying.gif": ("image/gif", picture()),
    "/several.jpg": ("image/jpeg", DRAWN["multi-picture JPEG"][1]),
    "/ok.avif": ("image/avif", picture(kind="AVIF")),
    "/ok.ico": ("image/x-icon", picture((16, 16), kind="ICO")),
    "/packed.png": ("image/png", gzip.compress(picture())),
    "/exact.png": ("image/png", picture((4096, 1))),
    "/wide.png": ("image/png", picture((4097, 1))),
    "/tall.png": ("image/png", picture((1, 4097))),
    "/bomb.png": ("image/png", huge_png_header()),
    "/fat.png": ("image/png", picture() + bytes(FOR_A_READER.bytes)),
    "/page.html": ("text/html", picture()),
    "/evil.png": ("image/png", b"<html><script>alert(1)</script>"),
    "/vector.svg": ("image/svg+xml", SVG),
    "/disguised.png": ("image/png", SVG),
    "/empty.png": ("image/png", b""),
    "/gzipped.png": ("image/png", picture()),
}


@pytest.fixture(scope="module")
def site() -> Iterator[type[Site]]:
    handler = type(
        "OneSite",
        (Site,),
        {"hits": [], "pages": PAGES, "anything": [b""], "closing": threading.Event()},
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.origin = f"http://127.0.0.1:{server.server_port}"  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield handler
    handler.closing.set()  # type: ignore[attr-defined]
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def api(nexus: LiveNexus) -> Iterator[httpx.Client]:
    with nexus.api(uuid4()) as client:
        yield client


def ask(api: httpx.Client, url: str, **headers: str) -> httpx.Response:
    return api.get(f"/media/image?url={quote(url, safe='')}", headers=headers)


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("/ok.png", "image/png"),
        ("/ok.jpg", "image/jpeg"),
        ("/ok.gif", "image/gif"),
        ("/ok.webp", "image/webp"),
        ("/lying.gif", "image/png"),
        ("/several.jpg", "image/jpeg"),
        ("/ok.avif", "image/avif"),
        ("/ok.ico", "image/x-icon"),
        ("/packed.png", "image/png"),
        ("/exact.png", "image/png"),
        ("/hop/3", "image/png"),
    ],
)
def test_images_are_served_as_what_they_are(
    api: httpx.Client, site: type[Site], name: str, content_type: str
) -> None:
    answer = ask(api, site.origin + name)  # type: ignore[attr-defined]
    assert answer.status_code == 200
    assert answer.headers["content-type"] == content_type
    assert answer.headers["etag"] == f'"{hashlib.sha256(answer.content).hexdigest()}"'
    assert answer.headers["cache-control"] == "private, max-age=86400"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("sandbox")


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("/hop/4", 502, "E_IMAGE_FETCH_FAILED"),
        ("/circle", 502, "E_IMAGE_FETCH_FAILED"),
        ("/endless.png", 413, "E_IMAGE_TOO_LARGE"),
        ("/endless-head.png", 502, "E_IMAGE_FETCH_FAILED"),
        ("/longer.png", 415, "E_IMAGE_UNSUPPORTED"),
        ("/missing.png", 502, "E_IMAGE_FETCH_FAILED"),
        ("/hang-up", 502, "E_IMAGE_FETCH_FAILED"),
        ("/gzipped.png", 502, "E_IMAGE_FETCH_FAILED"),
        ("/to-file", 502, "E_IMAGE_FETCH_FAILED"),
        ("/to-private", 403, "E_SSRF_BLOCKED"),
        ("/wide.png", 413, "E_IMAGE_TOO_LARGE"),
        ("/tall.png", 413, "E_IMAGE_TOO_LARGE"),
        ("/bomb.png", 413, "E_IMAGE_TOO_LARGE"),
        ("/fat.png", 413, "E_IMAGE_TOO_LARGE"),
        ("/page.html", 415, "E_IMAGE_UNSUPPORTED"),
        ("/evil.png", 415, "E_IMAGE_UNSUPPORTED"),
        ("/vector.svg", 415, "E_IMAGE_UNSUPPORTED"),
        ("/disguised.png", 415, "E_IMAGE_UNSUPPORTED"),
        ("/empty.png", 415, "E_IMAGE_UNSUPPORTED"),
    ],
)
def test_everything_else_is_a_typed_error(
    api: httpx.Client, site: type[Site], name: str, status: int, code: str
) -> None:
    answer = ask(api, site.origin + name)  # type: ignore[attr-defined]
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    "url",
    [
        "not a url",
        "ftp://example.org/x.png",
        "file:///etc/passwd",
        "data:image/png;base64,AAAA",
        "https://user:secret@example.org/x.png",
        "https://example.org:8443/x.png",
        "https://",
        "http:///x.png",
        " hTTp:////x.png",
        "http:x.png",
        "http:/x.png",
        "ht\ntp:///x.png",
    ],
)
def test_bad_addresses_are_bad_requests(api: httpx.Client, url: str) -> None:
    answer = ask(api, url)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "E_INVALID_REQUEST")


STATED = {400, 403, 413, 415, 502, 504}


@pytest.mark.parametrize("to", ["https://☕.invalid/x.png", "https://[::ffff:10.0.0.1]/", ""])
def test_hostile_redirects_end_in_stated_errors(
    api: httpx.Client, site: type[Site], to: str
) -> None:
    site.anything[0] = b"HTTP/1.1 302 Found\r\nLocation: " + to.encode() + b"\r\n\r\n"
    answer = ask(api, f"{site.origin}/anything?{uuid4()}")  # type: ignore[attr-defined]
    assert answer.status_code in STATED


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/x.png",
        "http://[fe80::1]/x.png",
        "http://0xA9FEA9FE/x.png",
        "http://printer.local/x.png",
        "http://Wiki.LAN./x.png",
    ],
)
def test_private_addresses_are_blocked(api: httpx.Client, url: str) -> None:
    answer = ask(api, url)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "E_SSRF_BLOCKED")


def test_loopback_is_blocked_outside_tests(site: type[Site]) -> None:
    settings = get_settings().model_copy(update={"env": Environment.LOCAL})
    before = len(site.hits)
    with pytest.raises(ApiError) as refused:
        check_image_url(site.origin + "/ok.png", settings)  # type: ignore[attr-defined]
    assert refused.value.code == "E_SSRF_BLOCKED"
    with pytest.raises(ApiError):
        fetch_image(site.origin + "/ok.png", settings)  # type: ignore[attr-defined]
    assert len(site.hits) == before


def test_a_known_image_is_neither_fetched_nor_sent_again(
    api: httpx.Client, site: type[Site]
) -> None:
    url = f"{site.origin}/ok.png?{uuid4()}"  # type: ignore[attr-defined]
    first = ask(api, url)
    hits = len(site.hits)
    again = ask(api, url)
    assert again.content == first.content
    unchanged = ask(api, url, **{"If-None-Match": first.headers["etag"]})
    assert unchanged.status_code == 304
    assert unchanged.content == b""
    assert len(site.hits) == hits


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("*", 304),
        ("ETAG", 304),
        ("W/ETAG", 304),
        ('"other", W/"another" ,ETAG', 304),
        ('"other"', 200),
        ('"*"', 200),
        ("BARE", 200),
        ('"xBARE"', 200),
    ],
)
def test_conditions_are_read_as_the_standard_says(
    api: httpx.Client, site: type[Site], condition: str, status: int
) -> None:
    url = f"{site.origin}/ok.png"  # type: ignore[attr-defined]
    etag = ask(api, url).headers["etag"]
    given = condition.replace("ETAG", etag).replace("BARE", etag.strip('"'))
    answer = ask(api, url, **{"If-None-Match": given})
    assert answer.status_code == status
    assert answer.headers["etag"] == etag


@pytest.mark.parametrize("name", ["/body-drip.png", "/head-drip.png"])
def test_a_site_that_trickles_is_cut_off(
    api: httpx.Client, site: type[Site], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A second passes with each look at the clock, and there is one before each piece.
    looks = itertools.count()
    monkeypatch.setattr("nexus.images.fetch.Limits", partial(Limits, clock=lambda: next(looks)))
    answer = ask(api, site.origin + name)  # type: ignore[attr-defined]
    monkeypatch.undo()
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "E_IMAGE_TIMEOUT")
    assert 15 <= next(looks) < 20
    assert ask(api, f"{site.origin}/ok.png?{uuid4()}").is_success  # type: ignore[attr-defined]


BODIES = st.one_of(
    st.binary(max_size=200),
    st.sampled_from([body for _, body in PAGES.values() if len(body) < 5000]).flatmap(
        lambda body: st.integers(0, len(body)).map(lambda end: body[:end])
    ),
)
HEADERS = st.lists(
    st.one_of(
        st.sampled_from(["image/png", "image/jpeg", "image/svg+xml", "text/html", ""]).map(
            lambda kind: f"Content-Type: {kind}"
        ),
        st.integers(-1, 300).map(lambda length: f"Content-Length: {length}"),
        st.sampled_from(["gzip", "br", "identity"]).map(lambda way: f"Content-Encoding: {way}"),
        st.just("Transfer-Encoding: chunked"),
        st.sampled_from(["/ok.png", "http://10.0.0.1/", "::", ""]).map(
            lambda to: f"Location: {to}"
        ),
    ),
    max_size=4,
)
STATUSES = st.sampled_from(["200 OK", "204 No", "206 Part", "301 Moved", "304 Same", "999 ?", ""])


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(status=STATUSES, headers=HEADERS, body=BODIES, raw=st.booleans())
def test_whatever_a_site_answers_ours_is_documented(
    status: str, headers: list[str], body: bytes, raw: bool, api: httpx.Client, site: type[Site]
) -> None:
    head = f"HTTP/1.1 {status}\r\n" + "".join(f"{line}\r\n" for line in headers) + "\r\n"
    site.anything[0] = body if raw else head.encode() + body
    answer = ask(api, f"{site.origin}/anything?{uuid4()}")  # type: ignore[attr-defined]
    if answer.status_code == 200:
        assert answer.headers["content-type"].startswith("image/")
    else:
        assert answer.status_code in STATED
        assert answer.json()["error"]["code"].startswith("E_")


def test_a_signed_out_visitor_gets_nothing(nexus: LiveNexus, site: type[Site]) -> None:
    with nexus.api() as anonymous:
        answer = ask(anonymous, site.origin + "/ok.png")  # type: ignore[attr-defined]
    assert answer.status_code == 401

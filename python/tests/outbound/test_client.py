"""The one guarded client, against a server that sends whatever it likes."""

import gzip
import itertools
import os
import socket
import time
import zlib
from collections.abc import Iterator

import httpx
import pytest

from nexus.egress.guard import Guard
from nexus.egress.http import open_public
from nexus.outbound.client import bounded_client, within
from nexus.outbound.limits import KIB, BodyTooLarge, DeadlinePassed, HeadTooLarge, Limits
from tests.outbound.hostile import GZIP, MIB, RAW, ZLIB, HostileSite, endless, page, zeros

LIMITS = Limits(body_bytes=256 * KIB, seconds=5)
SHORT = Limits(body_bytes=256 * KIB, seconds=0.8)
# A busy machine is slow; without a deadline these would take ten seconds or never end.
SLACK = 3.0
# What a socket takes from a server before anybody reads it.
BUFFERS = 16 * MIB
OK = b"HTTP/1.1 200 OK\r\n"
BOMB = 256 * MIB


@pytest.fixture
def site() -> Iterator[HostileSite]:
    site = HostileSite({})
    yield site
    site.close()


def get(site: HostileSite, path: str, limits: Limits = LIMITS) -> bytes:
    with bounded_client(limits) as client:
        return client.get(site.origin + path).content


def follow(site: HostileSite, path: str, limits: Limits = LIMITS) -> bytes:
    with open_public(site.origin + path, Guard(testing=True), limits) as response:
        return response.read()


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See", "307 Same", "308 Same"])
def test_the_body_of_a_redirect_is_never_read(site: HostileSite, status: str) -> None:
    head = f"HTTP/1.1 {status}\r\nLocation: /there\r\nContent-Encoding: gzip\r\n\r\n".encode()
    site.pages = {
        "/here": endless(head + zeros(BOMB, GZIP), bytes(MIB)),
        "/there": page("Content-Length: 2", body=[b"ok"]),
    }
    assert follow(site, "/here") == b"ok"
    assert site.sent["/here"] < BUFFERS
    with bounded_client(LIMITS) as client:
        answer = client.get(site.origin + "/here")
    assert (answer.content, answer.is_success) == (b"", False)


@pytest.mark.parametrize(
    ("encoding", "window"), [("gzip", GZIP), ("deflate", ZLIB), ("deflate", RAW)]
)
def test_a_body_that_unpacks_is_stopped_at_the_limit(
    site: HostileSite, encoding: str, window: int
) -> None:
    bomb = zeros(BOMB, window)
    site.pages["/"] = page(
        f"Content-Encoding: {encoding}", f"Content-Length: {len(bomb)}", body=[bomb]
    )
    began = time.process_time()
    with pytest.raises(BodyTooLarge):
        get(site, "/", Limits(body_bytes=MIB, seconds=5))
    assert time.process_time() - began < 0.5, "it unpacks no more than it needs to know"


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "gzip, gzip", "gzip,br", "?"])
def test_what_cannot_be_limited_is_not_unpacked(site: HostileSite, encoding: str) -> None:
    site.pages["/"] = page(f"Content-Encoding: {encoding}", body=[zeros(MIB, GZIP)])
    with pytest.raises(httpx.DecodingError):
        get(site, "/")


BODY = b"".join(number.to_bytes(4, "big") for number in range(50_000))
PACKED = {
    "gzip": gzip.compress(BODY, mtime=0),
    "x-gzip": gzip.compress(BODY, mtime=0),
    "GZip": gzip.compress(BODY, mtime=0),
    "deflate": zlib.compress(BODY),
    " Deflate ": zlib.compress(BODY)[2:-4],
    "identity": BODY,
}


@pytest.mark.parametrize("encoding", list(PACKED))
@pytest.mark.parametrize("step", [1000, 70_000])
def test_servers_that_compress_unasked_are_understood(
    site: HostileSite, encoding: str, step: int
) -> None:
    packed = PACKED[encoding]
    parts = [packed[at : at + step] for at in range(0, len(packed), step)]
    site.pages["/"] = page(f"Content-Encoding: {encoding}", body=parts)
    assert get(site, "/") == BODY
    assert b"accept-encoding: identity\r\n" in site.requests[0].lower()


DAMAGED = {
    "cut off": PACKED["gzip"][:-9],
    "longer": PACKED["gzip"] + b"more",
    "two": PACKED["gzip"] * 2,
    "two of nothing": zeros(0, GZIP) * 2,
    "rubbish": b"\x1f\x8b rubbish",
}


@pytest.mark.parametrize("name", list(DAMAGED))
def test_damaged_bodies_are_errors(site: HostileSite, name: str) -> None:
    site.pages["/"] = page("Content-Encoding: gzip", body=[DAMAGED[name]])
    with pytest.raises(httpx.DecodingError):
        get(site, "/")


def chunk(extension: int) -> bytes:
    return b"1;" + b"x" * extension + b"\r\nA\r\n"


CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TOO_LARGE = {
    "endless body": endless(OK + b"\r\n", bytes(64 * KIB)),
    "endless chunks": endless(CHUNKED, b"10000\r\n" + bytes(64 * KIB) + b"\r\n"),
    "one byte and much framing": endless(CHUNKED, chunk(50_000)),
    "announced": page(f"Content-Length: {10 * MIB}", body=[b"x"]),
    "one too many": page(body=[bytes(LIMITS.body_bytes + 1)]),
}


@pytest.mark.parametrize("name", list(TOO_LARGE))
def test_bodies_over_the_limit(site: HostileSite, name: str) -> None:
    site.pages["/x"] = TOO_LARGE[name]
    with pytest.raises(BodyTooLarge):
        get(site, "/x")
    assert site.sent.get("/x", 0) < BUFFERS


def test_a_body_of_exactly_the_limit(site: HostileSite) -> None:
    site.pages["/x"] = page(body=[bytes(LIMITS.body_bytes)])
    assert len(get(site, "/x")) == LIMITS.body_bytes


INTERIM = b"HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\n"
HEADS = {
    "endless line": endless(OK + b"X: ", b"y" * 8000),
    "endless headers": endless(OK, b"X: y\r\n"),
    "endless interim answers": endless(b"", INTERIM * 100),
    "many small headers": page(*["a:b"] * 201),
    "very many small headers": page(*["a:"] * 15_000),
    "one long header": page("X: " + "y" * 66_000),
    "long status": page(status="200 " + "y" * 70_000),
}


@pytest.mark.parametrize("name", list(HEADS))
def test_heads_over_the_limit(site: HostileSite, name: str) -> None:
    site.pages["/x"] = HEADS[name]
    with pytest.raises(HeadTooLarge):
        get(site, "/x")
    assert site.sent.get("/x", 0) < BUFFERS


def test_a_head_within_the_limit(site: HostileSite) -> None:
    headers = [*["a: b"] * 150, "X: " + "y" * 40_000, "Content-Length: 2"]
    site.pages["/x"] = page(*headers, body=[b"ok"])
    assert get(site, "/x") == b"ok"


def test_trailers_are_limited_too(site: HostileSite) -> None:
    site.pages["/x"] = endless(CHUNKED + b"0\r\n", b"X: yyyyyyyy\r\n" * 1000)
    with pytest.raises(httpx.HTTPError):
        get(site, "/x")
    assert site.sent.get("/x", 0) < BUFFERS


TRICKLES = {
    "status": (b"", b"H"),
    "headers": (OK, b"X: y\r\n"),
    "interim answers": (b"", INTERIM),
    "body": (OK + b"\r\n", b"x"),
    "chunks": (CHUNKED, b"1\r\nx\r\n"),
    "gzip": (OK + b"Content-Encoding: gzip\r\n\r\n" + PACKED["gzip"][:20], b"\0"),
}


@pytest.mark.parametrize("name", list(TRICKLES))
def test_a_site_that_trickles_is_left_at_the_deadline(site: HostileSite, name: str) -> None:
    site.pages["/x"] = site.dripping(*TRICKLES[name])
    began = time.monotonic()
    with pytest.raises(httpx.TimeoutException):
        get(site, "/x", SHORT)
    assert SHORT.seconds * 0.9 < time.monotonic() - began < SHORT.seconds + SLACK


def test_all_hops_share_one_deadline(site: HostileSite) -> None:
    def slow_hop(number: int) -> Iterator[bytes]:
        site.closing.wait(0.3)
        yield b"HTTP/1.1 302 Found\r\nLocation: /%d\r\n\r\n" % (number + 1)

    for number in range(5):
        site.pages[f"/{number}"] = lambda number=number: slow_hop(number)  # type: ignore[misc]
    began = time.monotonic()
    with pytest.raises(httpx.TimeoutException):
        follow(site, "/0", SHORT)
    assert time.monotonic() - began < SHORT.seconds + SLACK


def test_a_handshake_that_never_ends(site: HostileSite) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with bounded_client(SHORT) as client, pytest.raises(httpx.TimeoutException):
            client.get(f"https://127.0.0.1:{silent.getsockname()[1]}/")
        assert time.monotonic() - began < SHORT.seconds + SLACK


def test_sending_is_subject_to_the_deadline() -> None:
    """A server that takes a connection and reads nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent, bounded_client(SHORT) as client:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        began = time.monotonic()
        with pytest.raises(httpx.TimeoutException):
            client.put(url, content=itertools.repeat(bytes(MIB), 100))
        assert time.monotonic() - began < SHORT.seconds + SLACK


@pytest.mark.parametrize("length", ["100", "0", "-1", "x", "99999999999999999999"])
def test_lengths_that_lie(site: HostileSite, length: str) -> None:
    site.pages["/x"] = page(f"Content-Length: {length}", body=[b"four"])
    try:
        assert get(site, "/x") == b""
        assert length == "0"
    except httpx.HTTPError:
        assert length != "0"


def test_explanations_of_failures_are_short(site: HostileSite) -> None:
    site.pages["/short"] = page(status="404 No", body=[b"no such thing"])
    assert get(site, "/short") == b"no such thing"
    site.pages["/long"] = page(status="404 No", body=[bytes(LIMITS.failure_bytes + 1)])
    with pytest.raises(BodyTooLarge):
        get(site, "/long")


def test_a_request_may_have_limits_of_its_own(site: HostileSite) -> None:
    site.pages["/x"] = page(body=[bytes(1000)])
    with bounded_client(LIMITS) as client:
        tight = within(Limits(body_bytes=999, seconds=5))
        with pytest.raises(BodyTooLarge):
            client.get(site.origin + "/x", extensions=tight)
        assert len(client.get(site.origin + "/x").content) == 1000


def test_a_kept_connection_has_a_new_budget_for_every_request(site: HostileSite) -> None:
    size = LIMITS.body_bytes
    site.pages["/keep-alive"] = page(f"Content-Length: {size}", body=[bytes(size)])
    with bounded_client(LIMITS, kept_connections=1) as client:
        ports = set()
        for _ in range(4):
            with client.stream("GET", site.origin + "/keep-alive") as answer:
                assert len(answer.read()) == size
            (connection,) = client._transport._pool.connections  # type: ignore[attr-defined]
            ports.add(id(connection))
        assert len(ports) == 1
        site.pages["/keep-alive"] = site.dripping(OK, b"X: y\r\n")
        began = time.monotonic()
        with pytest.raises(httpx.TimeoutException):
            client.get(site.origin + "/keep-alive", extensions=within(SHORT))
        assert time.monotonic() - began < SHORT.seconds + SLACK


def test_no_cookie_is_kept(site: HostileSite) -> None:
    site.pages["/x"] = page("Set-Cookie: a=b", "Set-Cookie2: c=d", "Content-Length: 0")
    with bounded_client(LIMITS) as client:
        client.get(site.origin + "/x")
        client.get(site.origin + "/x")
    assert b"cookie" not in site.requests[1].lower()


@pytest.mark.parametrize("to", ["https://☕/", "https://xn--53h/", "http://[", "//a..b/", "\udcff"])
def test_redirects_that_are_not_followed_are_not_looked_at(site: HostileSite, to: str) -> None:
    written = to.encode("utf-8", "surrogateescape")
    site.pages["/x"] = lambda: iter([b"HTTP/1.1 302 Found\r\nLocation: " + written + b"\r\n\r\n"])
    with bounded_client(LIMITS) as client:
        assert client.get(site.origin + "/x").status_code == 302


def test_configured_services_are_reached_through_the_operators_proxy(
    site: HostileSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    url = "http://issuer.invalid/keys"
    site.pages[url] = page("Content-Length: 2", body=[b"ok"])
    monkeypatch.setenv("http_proxy", site.origin)
    with bounded_client(LIMITS, proxied_for=url) as client:
        assert client.get(url).content == b"ok"
    monkeypatch.setenv("no_proxy", "issuer.invalid")
    with bounded_client(LIMITS, proxied_for=url) as client, pytest.raises(httpx.ConnectError):
        client.get(url)
    with bounded_client(LIMITS) as client, pytest.raises(httpx.ConnectError):
        client.get("http://other.invalid/")


def test_a_deadline_that_is_over_before_it_begins(site: HostileSite) -> None:
    with pytest.raises(DeadlinePassed):
        get(site, "/x", Limits(body_bytes=1, seconds=0))

"""The one guarded client, against a server that sends whatever it likes."""

import gzip
import itertools
import os
import socket
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import httpx
import pytest

from nexus.egress.guard import Guard
from nexus.egress.http import open_public
from nexus.outbound.client import bounded_client, within
from nexus.outbound.limits import KIB, BodyTooLarge, DeadlinePassed, HeadTooLarge, Limits
from tests.outbound.hostile import GZIP, MIB, RAW, ZLIB, HostileSite, endless, page, zeros
from tests.outbound.scripted import FOREVER, ScriptedNetwork
from tests.patience import PATIENCE_SECONDS

LIMITS = Limits(body_bytes=256 * KIB, seconds=PATIENCE_SECONDS, silence_seconds=PATIENCE_SECONDS)
# For what never ends otherwise, so that it does not matter when it passes.
SHORT = Limits(body_bytes=256 * KIB, seconds=0.2)
HERE = "http://127.0.0.1/"
# What a socket takes from a server before anybody reads it.
BUFFERS = 16 * MIB
OK = b"HTTP/1.1 200 OK\r\n"
BOMB = 256 * MIB


@pytest.fixture
def site() -> Iterator[HostileSite]:
    site = HostileSite({})
    yield site
    site.close()


def by(network: ScriptedNetwork, seconds: float = 8) -> Limits:
    """Limits whose time is that of a scripted network."""
    return Limits(body_bytes=256 * KIB, seconds=seconds, clock=network.clock)


class Unpacked:
    """Counts what all decompressors hand out."""

    def __init__(self) -> None:
        self.size = 0
        self._real = zlib.decompressobj

    def decompressobj(self, window: int) -> Any:
        inflater = self._real(window)
        counted = Mock(wraps=inflater)

        def decompress(data: bytes, at_most: int = 0) -> bytes:
            part = inflater.decompress(data, at_most)
            self.size += len(part)
            counted.eof, counted.unused_data = inflater.eof, inflater.unused_data
            counted.unconsumed_tail = inflater.unconsumed_tail
            return part

        counted.decompress = decompress
        counted.eof = False
        return counted


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
    site: HostileSite, encoding: str, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = zeros(BOMB, window)
    site.pages["/"] = page(
        f"Content-Encoding: {encoding}", f"Content-Length: {len(bomb)}", body=[bomb]
    )
    unpacked = Unpacked()
    monkeypatch.setattr("nexus.outbound.decode.zlib.decompressobj", unpacked.decompressobj)
    with pytest.raises(BodyTooLarge):
        get(site, "/", replace(LIMITS, body_bytes=MIB))
    assert MIB < unpacked.size <= MIB + 64 * KIB, "it unpacks no more than it needs to know"


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
def test_a_site_that_trickles_is_left_at_the_deadline(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    network = ScriptedNetwork.used(monkeypatch, endless(*TRICKLES[name]), pause=0.25)
    began = network.now
    with pytest.raises(httpx.TimeoutException), bounded_client(by(network)) as client:
        client.get(HERE)
    assert network.now == began + 8


def test_silence_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    network = ScriptedNetwork.used(monkeypatch, page(body=[b"x"]), pause=FOREVER)
    began = network.now
    limits = replace(by(network), silence_seconds=5)
    with pytest.raises(httpx.ReadTimeout), bounded_client(limits) as client:
        client.get(HERE)
    assert network.now == began + 5


def test_all_hops_share_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    hops = [page(f"Location: /{number}", status="302 Found") for number in range(1, 5)]
    network = ScriptedNetwork.used(monkeypatch, *hops, pause=3)
    began = network.now
    with (
        pytest.raises(httpx.TimeoutException),
        open_public(HERE, Guard(testing=True), by(network)),
    ):
        pass
    assert (network.now, network.opened) == (began + 8, 3)


def test_a_hop_that_begins_too_late_is_not_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    network = ScriptedNetwork.used(monkeypatch, page("Location: /1", status="302 Found"), pause=4)

    def resolve(_host: str) -> list[str]:
        network.now += 4
        return ["93.184.216.34"]

    guard = Guard(testing=True, resolve=resolve)
    with pytest.raises(DeadlinePassed), open_public("http://slow.test/", guard, by(network)):
        pass
    assert network.opened == 1


def test_a_handshake_is_subject_to_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    network = ScriptedNetwork.used(monkeypatch, page(), handshake=FOREVER)
    began = network.now
    limits = by(network, seconds=2)
    with pytest.raises(httpx.TimeoutException), bounded_client(limits) as client:
        client.get(HERE.replace("http:", "https:"))
    assert network.now == began + 2


@pytest.mark.parametrize("write_pause", [0.25, FOREVER], ids=["slow", "stuck"])
def test_sending_is_subject_to_the_deadline(
    monkeypatch: pytest.MonkeyPatch, write_pause: float
) -> None:
    network = ScriptedNetwork.used(monkeypatch, page(), write_pause=write_pause)
    began = network.now
    limits = by(network, seconds=2)
    with pytest.raises(httpx.TimeoutException), bounded_client(limits) as client:
        client.put(HERE, content=itertools.repeat(bytes(MIB), 100))
    assert network.now == began + 2


def test_a_real_site_that_trickles(site: HostileSite) -> None:
    site.pages["/x"] = site.dripping(*TRICKLES["body"])
    with pytest.raises(httpx.TimeoutException):
        get(site, "/x", SHORT)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_real_server_that_only_listens(scheme: str) -> None:
    """Neither a long body nor a handshake gets through."""
    with socket.create_server(("127.0.0.1", 0)) as silent, bounded_client(SHORT) as client:
        url = f"{scheme}://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(httpx.TimeoutException):
            client.put(url, content=itertools.repeat(bytes(MIB), 100))


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
        tight = within(replace(LIMITS, body_bytes=999))
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


def test_a_kept_connection_has_the_deadline_of_its_latest_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    answers = itertools.chain([whole] * 4, [OK], itertools.repeat(b"X: y\r\n"))
    network = ScriptedNetwork.used(monkeypatch, lambda: answers, pause=1)
    with bounded_client(by(network, seconds=3), kept_connections=1) as client:
        for _ in range(4):
            client.get(HERE)
        began = network.now
        with pytest.raises(httpx.TimeoutException):
            client.get(HERE, extensions=within(by(network, seconds=5)))
    assert (network.now, network.opened) == (began + 5, 1)


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

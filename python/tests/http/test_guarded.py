"""Clients that keep a connection and do not send, or do not read, lose it. Others do not notice.

The limits are tested in virtual time; two tests at the end have real sockets and only ask that the
connection ends.
"""

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
import uvicorn
from bench.ports import free_port
from starlette.types import Receive, Scope, Send

from nexus.config import get_settings
from nexus.http.guarded import Guarded, GuardedH11, GuardedHttpTools
from nexus.supervisor.layout import Layout
from nexus.supervisor.programs import application_programs
from tests.http.virtual_time import VirtualServer, virtual_server
from tests.live import serving, wait_for
from tests.patience import PATIENCE_SECONDS

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
LARGE = 32 * 1024 * 1024
OK = b"HTTP/1.1 200 "
TIMED_OUT = b"HTTP/1.1 408 "
TURNED_AWAY = b"HTTP/1.1 503 "
BOTH = pytest.mark.parametrize("protocol", [GuardedH11, GuardedHttpTools], ids=["h11", "httptools"])


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how long the body was, or sends a very long one, at once or in pieces."""
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message["body"]), message["more_body"]
    body, pieces = str(length).encode(), 1
    if scope["path"] == "/large":
        body = bytes(LARGE)
    elif scope["path"] == "/pieces":
        body, pieces = bytes(100_000), 10
    headers = [(b"content-length", str(len(body) * pieces).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for number in range(pieces, 0, -1):
        await send({"type": "http.response.body", "body": body, "more_body": number > 1})


@pytest.fixture(params=[GuardedH11, GuardedHttpTools], ids=["h11", "httptools"])
def server(request: pytest.FixtureRequest) -> Iterator[VirtualServer]:
    with virtual_server(app, request.param) as server:
        yield server


def post(length: int) -> bytes:
    return f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()


@pytest.mark.parametrize("sent", [b"", HALF_A_HEAD], ids=["nothing", "half"])
def test_heads_that_never_come(server: VirtualServer, sent: bytes) -> None:
    clients = [server.connect(sent) for _ in range(3)]
    server.passes(9.5)
    assert all(client.is_open for client in clients)
    assert server.connect(GET).received.startswith(OK)
    server.passes(2)
    assert not any(client.is_open for client in clients)


def test_blank_lines_are_no_head(server: VirtualServer) -> None:
    client = server.connect(b"\r\n")
    server.passes(5)
    client.sends(b"\r\n")
    server.passes(6.5)
    assert not client.is_open


def test_a_head_that_trickles(server: VirtualServer) -> None:
    client = server.connect(HALF_A_HEAD)
    for _ in range(9):
        server.passes(1)
        client.sends(b"x")
    assert client.is_open
    for _ in range(3):
        server.passes(1)
        client.sends(b"x")
    assert not client.is_open


def test_the_head_of_a_further_request(server: VirtualServer) -> None:
    """It has as long as the first, from its first byte."""
    client = server.connect(GET)
    assert client.received.startswith(OK)
    server.passes(4)
    client.sends(HALF_A_HEAD)
    server.passes(9.5)
    assert client.is_open
    server.passes(2)
    assert not client.is_open


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [(b"", 15), (b"x" * 20_480, 25), (b"x" * 204_800, 30)],
    ids=["nothing", "a beginning", "much"],
)
def test_bodies_that_stall(server: VirtualServer, sent: bytes, seconds: int) -> None:
    client = server.connect(post(1_000_000), sent)
    server.passes(seconds - 0.5)
    assert (client.is_open, client.received) == (True, b"")
    server.passes(2)
    assert not client.is_open
    assert client.received.startswith(TIMED_OUT)


@pytest.mark.parametrize(("per_second", "status"), [(2100, OK), (1900, TIMED_OUT)])
def test_a_body_on_a_slow_line_arrives_and_one_that_trickles_does_not(
    server: VirtualServer, per_second: int, status: bytes
) -> None:
    seconds = 600
    client = server.connect(post(per_second * seconds))
    for _ in range(seconds):
        client.sends(b"x" * per_second)
        server.passes(1)
    assert client.received.startswith(status)


@pytest.mark.parametrize(("path", "seconds"), [("/large", 60), ("/pieces", 60)])
def test_an_answer_nobody_reads(server: VirtualServer, path: str, seconds: int) -> None:
    """Written at once, it waits while the connection closes; in pieces, while it is produced."""
    client = server.connect()
    client.reads = False
    client.sends(GET.replace(b"/ ", path.encode() + b" "))
    server.passes(seconds - 0.5)
    was_open = client.is_open
    server.passes(2.5)
    assert (was_open, client.is_open) == (True, False)
    assert client.unread
    assert server.connect(GET).received.startswith(OK)


def test_an_answer_that_is_read_slowly(server: VirtualServer) -> None:
    client = server.connect()
    client.reads = False
    client.sends(GET.replace(b"/ ", b"/pieces "))
    for _ in range(10):
        server.passes(50)
        assert client.is_open
        client.takes(1000)
    assert client.received.startswith(OK)


def test_a_newcomer_takes_the_place_of_one_that_only_waits(
    server: VirtualServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Guarded, "MAX_CONNECTIONS", 20)
    clients = []
    for _ in range(40):
        clients.append(server.connect(HALF_A_HEAD))
        server.passes(0.1)
    assert server.connect(GET).received.startswith(OK)
    assert [client.is_open for client in clients] == [False] * 21 + [True] * 19


def test_who_is_served_is_not_sent_away_and_the_rest_is_told_to_come_back(
    server: VirtualServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Guarded, "MAX_CONNECTIONS", 3)
    busy = [server.connect(post(10)) for _ in range(3)]
    refused = server.connect(GET)
    assert refused.received.startswith(TURNED_AWAY)
    assert b"\r\nRetry-After: 5\r\n" in refused.received
    assert not refused.is_open
    for client in busy:
        client.sends(b"x" * 10)
        assert client.received.startswith(OK)


def test_one_address_has_only_so_many_unless_it_is_a_proxy(
    server: VirtualServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Guarded, "MAX_PER_ADDRESS", 2)
    for address, last in (("203.0.113.3", TURNED_AWAY), ("127.0.0.2", OK)):
        for _ in range(2):
            server.connect(post(10), address=address)
        assert server.connect(GET, address=address).received.startswith(last)
    # One that waits gives its place up.
    server.connect(post(10), address="203.0.113.4")
    waiting = server.connect(address="203.0.113.4")
    assert server.connect(GET, address="203.0.113.4").received.startswith(OK)
    assert not waiting.is_open


@pytest.mark.parametrize(
    ("address", "shared"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("10.1.2.3", True),
        ("2001:db8::7", True),
        ("11.1.2.3", False),
        ("2001:db8::8", False),
    ],
)
def test_whose_address_many_people_share(address: str, shared: bool) -> None:
    config = uvicorn.Config(app, forwarded_allow_ips="10.0.0.0/8, 2001:db8::7, proxy.example")
    protocol = GuardedH11.__new__(GuardedH11)
    protocol.config = config
    assert protocol._is_shared(address) is shared


@BOTH
def test_a_real_connection_that_never_asks_ends(protocol: type[Any]) -> None:
    class Quick(protocol):  # type: ignore[misc]
        HEAD_SECONDS = CHECK_SECONDS = 0.05

    with served(Quick) as port, connected(port, HALF_A_HEAD) as client:
        assert client.recv(1000) == b""


@BOTH
def test_a_real_answer_nobody_reads_ends(protocol: type[Any]) -> None:
    class Quick(protocol):  # type: ignore[misc]
        UNREAD_SECONDS = 0.5
        CHECK_SECONDS = 0.05

    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(PATIENCE_SECONDS)
    with served(Quick) as port, client:
        client.connect(("127.0.0.1", port))
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        received = len(client.recv(10))
        wait_for(lambda: not _is_open(port, client), what="the server let go")
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(1_000_000):
                received += len(piece)
    assert 0 < received < LARGE


@contextlib.contextmanager
def served(protocol: type[Any]) -> Iterator[int]:
    port = free_port()
    with serving(app, host="127.0.0.1", port=port, http=protocol, lifespan="off"):
        yield port


def connected(port: int, *pieces: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    for piece in pieces:
        client.sendall(piece)
    return client


def _is_open(port: int, client: socket.socket) -> bool:
    """Whether the server still has the other end of the connection."""
    own = client.getsockname()[1]
    return any(
        one.laddr.port == port and one.raddr and one.raddr.port == own
        for one in psutil.Process().net_connections(kind="tcp4")
    )


def test_both_servers_run_with_limits() -> None:
    settings = get_settings()
    programs = application_programs(settings, Layout(settings.data_dir))
    found = {program.name: program.command for program in programs}
    for name, protocol in (("bff", "GuardedH11"), ("api", "GuardedHttpTools")):
        command = found[name]
        assert command[command.index("--http") + 1] == f"nexus.http.guarded:{protocol}"

"""Clients that keep a connection and do not send, or do not read, lose it. Others do not notice."""

import contextlib
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx
import psutil
import pytest
import uvicorn
from bench.ports import free_port
from starlette.types import Receive, Scope, Send

from nexus.config import get_settings
from nexus.http.guarded import Guarded, GuardedH11, GuardedHttpTools
from nexus.supervisor.layout import Layout
from nexus.supervisor.programs import application_programs
from tests.live import serving, wait_for
from tests.patience import PATIENCE_SECONDS

HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
LARGE = 32 * 1024 * 1024


class Quick(Guarded):
    HEAD_SECONDS = 0.5
    BODY_GRACE_SECONDS = 0.5
    STALL_SECONDS = 1.0
    UNREAD_SECONDS = 1.0
    CHECK_SECONDS = 0.05
    MAX_CONNECTIONS = 20


class QuickH11(Quick, GuardedH11):
    pass


class QuickHttpTools(Quick, GuardedHttpTools):
    pass


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how long the body was, or sends a very long one."""
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message["body"]), message["more_body"]
    body = b"x" * LARGE if scope["path"] == "/large" else str(length).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@contextlib.contextmanager
def served(protocol: type[Any]) -> Iterator[int]:
    port = free_port()
    with serving(app, host="127.0.0.1", port=port, http=protocol, lifespan="off"):
        yield port


@pytest.fixture(params=[QuickH11, QuickHttpTools], ids=["h11", "httptools"])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    with served(request.param) as port:
        yield port


def connected(port: int, *pieces: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    for piece in pieces:
        client.sendall(piece)
    return client


def is_closed(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1000) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def post(length: int) -> bytes:
    return f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()


@pytest.mark.parametrize("sent", [b"", HALF_A_HEAD, b"\r\n"], ids=["nothing", "half", "blank"])
def test_heads_that_never_come(port: int, sent: bytes) -> None:
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connected(port, sent)) for _ in range(15)]
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "0"
        wait_for(lambda: all(is_closed(client) for client in clients))


def test_a_head_that_trickles(port: int) -> None:
    with connected(port, HALF_A_HEAD) as client:

        def trickled_out() -> bool:
            with contextlib.suppress(OSError):
                client.send(b"x")
            return is_closed(client)

        wait_for(trickled_out, what="the connection is closed")


def test_the_head_of_a_further_request(port: int) -> None:
    with connected(port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
        client.sendall(HALF_A_HEAD)
        began = time.monotonic()
        wait_for(lambda: is_closed(client))
        assert time.monotonic() - began < 4, "before the connection would have been idle too long"


@pytest.mark.parametrize("sent", [b"", b"x" * 5000], ids=["nothing", "a beginning"])
def test_bodies_that_stall(port: int, sent: bytes) -> None:
    with connected(port, post(1_000_000), sent) as client:
        assert client.recv(1000).startswith(b"HTTP/1.1 408 ")
        wait_for(lambda: is_closed(client))


def test_a_body_on_a_slow_line_arrives(port: int) -> None:
    """4 KiB a second, for longer than any of the limits."""
    with connected(port, post(16 * 512)) as client:
        for _ in range(16):
            client.sendall(b"x" * 512)
            # The slowness of this line is what the test is about.
            time.sleep(0.125)
        answer = client.recv(1000)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"8192")


def test_an_answer_nobody_reads(port: int) -> None:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(10)
    with client:
        client.connect(("127.0.0.1", port))
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.recv(10)
        received = 10

        def cut_off() -> bool:
            return httpx.get(f"http://127.0.0.1:{port}/").text == "0" and not _is_open(port, client)

        wait_for(cut_off, what="the server let go")
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(1_000_000):
                received += len(piece)
    assert received < LARGE


def _is_open(port: int, client: socket.socket) -> bool:
    """Whether the server still has the other end of the connection."""
    own = client.getsockname()[1]
    return any(
        one.laddr.port == port and one.raddr and one.raddr.port == own
        for one in psutil.Process().net_connections(kind="tcp4")
    )


def test_a_newcomer_takes_the_place_of_one_that_only_waits(port: int) -> None:
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connected(port, HALF_A_HEAD)) for _ in range(40)]
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "0"
        assert sum(is_closed(client) for client in clients) >= 20


def test_who_is_served_is_not_sent_away_and_the_rest_is_told_to_come_back() -> None:
    class Full(QuickH11):
        MAX_CONNECTIONS = 3
        BODY_GRACE_SECONDS = STALL_SECONDS = 30.0

    with served(Full) as port, contextlib.ExitStack() as stack:
        busy = [stack.enter_context(connected(port, post(10))) for _ in range(3)]
        wait_for(lambda: httpx.get(f"http://127.0.0.1:{port}/").status_code == 503)
        refused = httpx.get(f"http://127.0.0.1:{port}/")
        assert int(refused.headers["Retry-After"]) > 0
        for client in busy:
            client.sendall(b"x" * 10)
            assert client.recv(1000).startswith(b"HTTP/1.1 200")


def test_one_address_has_only_so_many_unless_it_is_a_proxy() -> None:
    class Strangers(QuickH11):
        MAX_PER_ADDRESS = 2
        BODY_GRACE_SECONDS = STALL_SECONDS = 30.0

        def _is_shared(self, address: str) -> bool:
            return address == "127.0.0.2" and super()._is_shared(address)

    with served(Strangers) as port, contextlib.ExitStack() as stack:
        for own, expected in (("127.0.0.3", 503), ("127.0.0.2", 200)):
            for _ in range(3):
                client = socket.create_connection(("127.0.0.1", port), 10, (own, 0))
                stack.enter_context(client)
                client.sendall(post(10))
            transport = httpx.HTTPTransport(local_address=own)
            with httpx.Client(transport=transport) as another:
                answers = [another.get(f"http://127.0.0.1:{port}/").status_code for _ in range(3)]
            assert answers[-1] == expected


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


def test_both_servers_run_with_limits() -> None:
    settings = get_settings()
    programs = application_programs(settings, Layout(settings.data_dir))
    found = {program.name: program.command for program in programs}
    for name, protocol in (("bff", "GuardedH11"), ("api", "GuardedHttpTools")):
        command = found[name]
        assert command[command.index("--http") + 1] == f"nexus.http.guarded:{protocol}"

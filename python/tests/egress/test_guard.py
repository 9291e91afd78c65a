"""The egress rules against the shared cases, and the client that pins what they checked."""

import datetime
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from nexus.config import PROJECT_ROOT, Environment, Settings
from nexus.egress.guard import (
    AllowedHosts,
    EgressError,
    Guard,
    InvalidTarget,
    PrivateTarget,
    UnknownHost,
    canonical_host,
    check_url,
    is_public_address,
    own_addresses,
    resolve_public,
)
from nexus.egress.http import MAX_REDIRECTS, open_public
from nexus.outbound.limits import Limits
from nexus.outbound.names import system_resolve
from tests.egress.hostile import HOSTILE
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.must

CASES = json.loads((PROJECT_ROOT / "egress" / "cases.json").read_text())
NOBODY: frozenset[str] = frozenset()


def verdict(url: str, guard: Guard) -> tuple[str, str | None]:
    """What a URL comes to before DNS is asked, and its host."""
    try:
        target = guard.check_url(url)
    except EgressError as error:
        return error.kind, None
    kind = "public" if is_public_address(target.host, own=NOBODY) else "name"
    return kind, target.host


@pytest.mark.parametrize("case", CASES["addresses"], ids=lambda case: case["address"])
def test_addresses(case: dict[str, Any]) -> None:
    assert is_public_address(case["address"], own=NOBODY) is case["public"]


@pytest.mark.parametrize("case", CASES["urls"], ids=lambda case: repr(case["url"]))
def test_urls(case: dict[str, Any]) -> None:
    kind, host = verdict(case["url"], Guard())
    assert kind == case["verdict"]
    if kind in {"public", "name"}:
        assert host == case["host"]


@pytest.mark.parametrize("case", CASES["urls"], ids=lambda case: repr(case["url"]))
def test_hosts_of_refused_urls_are_read_right_too(case: dict[str, Any]) -> None:
    if case["host"] is None:
        assert verdict(case["url"], Guard())[0] in {"invalid", "scheme"}
    else:
        assert canonical_host(case["host"]) == case["host"]


@pytest.mark.parametrize("case", CASES["allow_private_hosts"], ids=str)
def test_listed_hosts(case: dict[str, Any]) -> None:
    entries, testing = case["list"].split(","), case.get("testing", False)
    url = httpx.URL(case["url"])
    host = canonical_host(url.host)
    assert host is not None
    port = url.port or {"http": 80, "https": 443}[url.scheme]
    assert AllowedHosts(entries, testing=testing).has(host, port) is case["allowed"]
    if case["allowed"]:
        assert Guard(allow=entries, testing=testing).check_url(case["url"]).listed


def test_own_addresses_are_not_public() -> None:
    own = own_addresses()
    assert "127.0.0.1" in own
    assert not any(is_public_address(address) for address in own)
    assert not is_public_address("8.8.8.8", own=frozenset({"8.8.8.8"}))


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        (["8.8.8.8"], None),
        (["8.8.8.8", "2606:4700:4700::1111"], None),
        (["8.8.8.8", "127.0.0.1"], PrivateTarget),
        (["127.0.0.1", "8.8.8.8"], PrivateTarget),
        (["8.8.8.8", "fd00::1"], PrivateTarget),
        (["::ffff:8.8.8.8"], PrivateTarget),
        (["fe80::1%eth0"], PrivateTarget),
        ([], UnknownHost),
    ],
)
def test_names_are_judged_by_all_their_answers(
    answers: list[str], error: type[EgressError] | None
) -> None:
    guard = Guard(resolve=lambda _: answers)
    target = guard.check_url("https://name.example/")
    if error is None:
        assert guard.addresses(target) == answers
    else:
        with pytest.raises(error):
            guard.addresses(target)


def test_settings_decide() -> None:
    local = Settings(env=Environment.LOCAL, allow_private_hosts=("127.0.0.1:81",))
    assert check_url("http://127.0.0.1:81/a b", local).url == "http://127.0.0.1:81/a%20b"
    assert resolve_public("http://127.0.0.1:81/", local) == ["127.0.0.1"]
    with pytest.raises(PrivateTarget, match="not public"):
        check_url("http://127.0.0.1:82/", local)
    with pytest.raises(InvalidTarget, match="8080"):
        check_url("http://example.org:8080/", local)
    assert check_url("http://localhost:5/", Settings(env=Environment.TEST)).listed
    assert check_url("http://u:p@example.org/", local).has_credentials


def test_the_system_resolver_knows_localhost_and_not_nonsense() -> None:
    assert set(system_resolve("localhost")) <= {"127.0.0.1", "::1"}
    assert system_resolve("localhost")
    assert system_resolve("no-such-name.invalid") == []
    assert system_resolve("a" * 300) == []


class Server:
    """A web server on loopback that notes what it is asked."""

    def __init__(
        self,
        *,
        context: ssl.SSLContext | None = None,
        kind: type[ThreadingHTTPServer] = ThreadingHTTPServer,
        address: str = "127.0.0.1",
    ) -> None:
        self.seen: list[tuple[str, str]] = []
        self.headers: set[str] = set()
        self.redirect: str | None = None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.seen.append((self.headers["Host"], self.path))
                outer.headers |= {name.lower() for name in self.headers}
                self.send_response(302 if outer.redirect else 200)
                if outer.redirect:
                    location = outer.redirect.encode().decode("latin-1")
                    self.send_header("Location", location)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *args: object) -> None:
                pass

        self.http = kind((address, 0), Handler)
        if context:
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
        self.port = self.http.server_address[1]
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


LIMITS = Limits(body_bytes=1024, seconds=PATIENCE_SECONDS, silence_seconds=PATIENCE_SECONDS)


def fetch(url: str, guard: Guard) -> str:
    with open_public(url, guard, LIMITS) as response:
        return response.read().decode()


def test_a_listed_name_is_fetched_with_its_own_host_header(server: Server) -> None:
    guard = Guard(allow=["site.example"], resolve=lambda _: ["127.0.0.1"])
    assert fetch(f"http://site.example:{server.port}/a?b", guard) == "ok"
    assert server.seen == [(f"site.example:{server.port}", "/a?b")]


@pytest.mark.parametrize("name", ["☕", "☕.example", "xn--53h", "a_b.example", "faß.example"])
def test_names_that_strict_rules_reject_are_names(server: Server, name: str) -> None:
    """Browsers take them, so somebody has registered them."""
    host = canonical_host(name)
    assert host is not None
    assert host.isascii()
    guard = Guard(allow=[name], resolve=lambda _: ["127.0.0.1"])
    assert fetch(f"http://{name}:{server.port}/ü|[x]?ü='\"", guard) == "ok"
    assert server.seen == [(f"{host}:{server.port}", "/%C3%BC|[x]?%C3%BC=%27%22")]
    server.redirect = "http://☕.invalid:1/"
    with pytest.raises(InvalidTarget):
        fetch(f"http://{name}:{server.port}/", guard)


@pytest.mark.parametrize("name", ["☕", "xn--53h", "a" * 64, "a..b", "a_b"])
def test_names_that_no_certificate_has_do_not_connect(server: Server, name: str) -> None:
    guard = Guard(allow=[name], resolve=lambda _: ["127.0.0.1"])
    with pytest.raises(httpx.ConnectError):
        fetch(f"https://{name}:{server.port}/", guard)


def test_the_next_address_is_tried_when_one_does_not_connect(server: Server) -> None:
    guard = Guard(allow=["site.example"], resolve=lambda _: ["127.0.0.2", "127.0.0.1"])
    assert fetch(f"http://site.example:{server.port}/", guard) == "ok"
    with pytest.raises(httpx.ConnectError):
        fetch("http://site.example:9/", guard)


def test_every_hop_of_a_redirect_is_checked(server: Server) -> None:
    server.redirect = f"http://inside.example:{server.port}/secret"
    guard = Guard(allow=[f"site.example:{server.port}"], resolve=lambda _: ["127.0.0.1"])
    with pytest.raises(InvalidTarget):
        fetch(f"http://site.example:{server.port}/", guard)
    server.redirect = "http://inside.example/secret"
    with pytest.raises(PrivateTarget):
        fetch(f"http://site.example:{server.port}/", guard)
    assert [path for _, path in server.seen] == ["/", "/"]


@pytest.mark.parametrize(
    "to", [to for to in HOSTILE if to.strip("\0") and "\ud800" not in to], ids=ascii
)
def test_no_redirect_is_a_surprise(server: Server, to: str) -> None:
    server.redirect = to.replace("\t", "").replace("\n", "")
    # Answers are private, so that no name leads anywhere.
    guard = Guard(allow=[f"site.example:{server.port}"], resolve=lambda _: ["127.0.0.1"])
    with pytest.raises(EgressError):
        fetch(f"http://site.example:{server.port}/", guard)
    assert [path for _, path in server.seen] == ["/"]


def test_redirects_are_read_as_a_browser_reads_them(server: Server) -> None:
    guard = Guard(allow=["site.example"], resolve=lambda _: ["127.0.0.1"])
    server.redirect = f"\\\\user:secret@site.example:{server.port}\\b c"
    with pytest.raises(httpx.TooManyRedirects):
        fetch(f"http://site.example:{server.port}/a", guard)
    assert [path for _, path in server.seen] == ["/a", *["/b%20c"] * MAX_REDIRECTS]
    assert "authorization" not in server.headers


def test_a_name_that_changes_its_answer_is_dialled_where_it_was_checked(server: Server) -> None:
    answers = iter([["127.0.0.1"], ["127.0.0.9"]])
    guard = Guard(allow=["rebinding.example"], resolve=lambda _: next(answers))
    assert fetch(f"http://rebinding.example:{server.port}/x", guard) == "ok"
    with pytest.raises(httpx.ConnectError):
        fetch(f"http://rebinding.example:{server.port}/x", guard)
    assert server.seen == [(f"rebinding.example:{server.port}", "/x")]
    public = iter([["93.184.215.14"], ["127.0.0.1"]])
    strict = Guard(resolve=lambda _: next(public))
    target = strict.check_url("https://rebinding.example/x")
    assert strict.addresses(target) == ["93.184.215.14"]
    with pytest.raises(PrivateTarget):
        strict.addresses(target)


def test_an_ipv6_address_is_dialled_as_such() -> None:
    class SixServer(ThreadingHTTPServer):
        address_family = socket.AF_INET6

    server = Server(kind=SixServer, address="::1")
    guard = Guard(allow=["six.example", "::1"], resolve=lambda _: ["::1"])
    try:
        assert fetch(f"http://six.example:{server.port}/", guard) == "ok"
        assert fetch(f"http://[::1]:{server.port}/", guard) == "ok"
    finally:
        server.close()
    assert [host for host, _ in server.seen] == [
        f"six.example:{server.port}",
        f"[::1]:{server.port}",
    ]


@pytest.mark.parametrize(("name", "trusted"), [("site.example", True), ("other.example", False)])
def test_certificates_are_verified_for_the_name(
    tmp_path: Path, name: str, trusted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = _self_signed("site.example")
    pem = tmp_path / "server.pem"
    pem.write_bytes(key + certificate)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(pem)
    server = Server(context=serving)
    trusting = ssl.create_default_context(cadata=certificate.decode())
    monkeypatch.setattr("nexus.outbound.client._ssl_context", lambda: trusting)
    guard = Guard(allow=[name], resolve=lambda _: ["127.0.0.1"])
    try:
        if trusted:
            assert fetch(f"https://{name}:{server.port}/", guard) == "ok"
        else:
            with pytest.raises(httpx.ConnectError, match="certificate"):
                fetch(f"https://{name}:{server.port}/", guard)
    finally:
        server.close()


def _self_signed(name: str) -> tuple[bytes, bytes]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    encoded = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return encoded, certificate.public_bytes(serialization.Encoding.PEM)


def test_the_client_obeys_the_settings(server: Server) -> None:
    url = f"http://127.0.0.1:{server.port}/"
    with pytest.raises(PrivateTarget):
        fetch(url, Guard.from_settings(Settings(env=Environment.LOCAL)))
    assert fetch(url, Guard.from_settings(Settings(env=Environment.TEST))) == "ok"
    assert len(server.seen) == 1

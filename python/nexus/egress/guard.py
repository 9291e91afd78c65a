"""What Nexus may reach on the network, decided in one place for everything Python fetches.

The rules are `egress/rules.json`, shared with the browser's proxy in `node/ingest`, and both sides
must pass `egress/cases.json`. URLs are parsed as browsers parse them, so that the host checked is
the host dialled.

EgressError
├── InvalidTarget   not a URL, not http(s), or a port that is not allowed
├── PrivateTarget   the name, or an address it resolves to, is not public
└── UnknownHost     the name has no address
"""

import json
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Self

import ada_url
import psutil

from nexus.config import PROJECT_ROOT, Environment, Settings
from nexus.outbound.names import system_resolve

Resolver = Callable[[str], list[str]]


class EgressError(Exception):
    """A request that may not, or cannot, be made. The message is for people."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class InvalidTarget(EgressError):
    """Not a URL, not http(s), or a port that is not allowed."""


class PrivateTarget(EgressError):
    """The address, or one the name resolves to, is not public."""

    def __init__(self) -> None:
        super().__init__("private", "this address is not public, so it is not fetched")


class UnknownHost(EgressError):
    """The name has no address."""


Network = IPv4Network | IPv6Network


@dataclass(frozen=True)
class Rules:
    ports: frozenset[int]
    loopback_names: tuple[str, ...]
    private_names: tuple[str, ...]
    ipv4_refused: tuple[Network, ...]
    ipv6_allowed: tuple[Network, ...]
    ipv6_refused: tuple[Network, ...]


@lru_cache(maxsize=1)
def load_rules() -> Rules:
    """The rules, read once."""
    data = json.loads((PROJECT_ROOT / "egress" / "rules.json").read_text())

    def networks(name: str) -> tuple[Network, ...]:
        return tuple(ip_network(text) for text in data[name])

    return Rules(
        ports=frozenset(data["ports"]),
        loopback_names=tuple(data["loopback_names"]),
        private_names=tuple(data["private_names"]),
        ipv4_refused=networks("ipv4_refused"),
        ipv6_allowed=networks("ipv6_allowed"),
        ipv6_refused=networks("ipv6_refused"),
    )


def is_public_address(text: str, *, own: frozenset[str] | None = None) -> bool:
    """True for an address literal on the public internet that is not this machine's own."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if "%" in text or str(address) in (own_addresses() if own is None else own):
        return False
    rules = load_rules()
    if address.version == 4:
        return not any(address in network for network in rules.ipv4_refused)
    allowed = any(address in network for network in rules.ipv6_allowed)
    return allowed and not any(address in network for network in rules.ipv6_refused)


def own_addresses() -> frozenset[str]:
    """The addresses of this machine's interfaces, read each time: interfaces come and go."""
    families = (socket.AF_INET, socket.AF_INET6)
    found = (entry for entries in psutil.net_if_addrs().values() for entry in entries)
    return frozenset(
        str(ip_address(entry.address.split("%")[0])) for entry in found if entry.family in families
    )


def canonical_host(host: str) -> str | None:
    """A host as a browser reads it, without brackets or trailing dot; None if it is not one."""
    bracketed = f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host
    try:
        url = ada_url.URL(f"http://{bracketed}/")
    except ValueError:
        return None
    return _bare(url.hostname) if url.href == f"http://{url.hostname}/" else None


def _bare(hostname: str) -> str:
    return hostname.removesuffix(".").removeprefix("[").removesuffix("]")


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_private_name(host: str) -> bool:
    """Names of this machine and of local networks, whatever DNS says about them."""
    rules = load_rules()
    names = (*rules.loopback_names, *rules.private_names)
    return any(host == name or host.endswith(f".{name}") for name in names)


@dataclass(frozen=True)
class Target:
    """A URL that may be fetched, as far as can be decided without DNS."""

    url: str
    host: str
    port: int
    listed: bool
    has_credentials: bool


class AllowedHosts:
    """Hosts an operator allows although they are not public: `host` or `host:port`."""

    def __init__(self, entries: Iterable[str], *, testing: bool) -> None:
        self._ports: dict[str, set[int | None]] = {}
        for entry in entries:
            name, _, port = entry.strip().rpartition(":")
            is_port = bool(name) and port.isdigit() and not _is_literal(entry.strip())
            host = canonical_host(name if is_port else entry.strip())
            if host:
                self._ports.setdefault(host, set()).add(int(port) if is_port else None)
        if testing:
            for host in ("127.0.0.1", "::1", *load_rules().loopback_names):
                self._ports.setdefault(host, set()).add(None)

    def has(self, host: str, port: int) -> bool:
        ports = self._ports.get(host, set())
        return None in ports or port in ports


@lru_cache(maxsize=16)
def _allowed_hosts(entries: tuple[str, ...], *, testing: bool) -> AllowedHosts:
    """Read once: an import checks thousands of addresses."""
    return AllowedHosts(entries, testing=testing)


class Guard:
    """Decides whether a URL may be reached, and at which addresses exactly."""

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        testing: bool = False,
        resolve: Resolver = system_resolve,
    ) -> None:
        self._allowed = _allowed_hosts(tuple(allow), testing=testing)
        self._resolve = resolve

    @classmethod
    def from_settings(cls, settings: Settings, *, resolve: Resolver = system_resolve) -> Self:
        testing = settings.env is Environment.TEST
        return cls(allow=settings.allow_private_hosts, testing=testing, resolve=resolve)

    def check_url(self, url: str) -> Target:
        """The URL as a browser reads it, unless it can be refused without asking DNS."""
        try:
            parsed = ada_url.URL(url)
        except ValueError:
            raise InvalidTarget("invalid", "this is not a valid web address") from None
        if parsed.protocol not in {"http:", "https:"}:
            raise InvalidTarget("scheme", "only http and https addresses can be saved")
        host = _bare(parsed.hostname)
        port = int(parsed.port) if parsed.port else {"http:": 80, "https:": 443}[parsed.protocol]
        listed = self._allowed.has(host, port)
        if not listed:
            self._check_unlisted(host, port)
        credentials = bool(parsed.username or parsed.password)
        return Target(parsed.href, host, port, listed, credentials)

    def addresses(self, target: Target) -> list[str]:
        """The addresses to dial: every one of them checked, or an error is raised."""
        if _is_literal(target.host):
            return [target.host]
        resolved = self._resolve(target.host)
        if not resolved:
            raise UnknownHost("unknown", f"the site {target.host} could not be found")
        if not target.listed and not all(is_public_address(address) for address in resolved):
            raise PrivateTarget
        return resolved

    def _check_unlisted(self, host: str, port: int) -> None:
        if _is_private_name(host) or (_is_literal(host) and not is_public_address(host)):
            raise PrivateTarget
        if port not in load_rules().ports:
            message = f"port {port} is not allowed, only 80 and 443 are"
            raise InvalidTarget("port", message)


def check_url(url: str, settings: Settings) -> Target:
    """Refuse what needs no DNS to refuse; for validating a URL when it is submitted."""
    return Guard.from_settings(settings).check_url(url)


def resolve_public(url: str, settings: Settings) -> list[str]:
    """The checked addresses behind a URL."""
    guard = Guard.from_settings(settings)
    return guard.addresses(guard.check_url(url))

"""The addresses under which this installation may be reached.

Another site's name may resolve to this machine (DNS rebinding), and its pages would then have "the
same origin" as Nexus. So names are never taken from the request: only the configured address, the
loopback names and, where Nexus listens on every interface, the machine's own IP addresses count.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

import psutil

from nexus.config import Settings

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class OwnAddresses:
    """The hosts and origins of this installation."""

    def __init__(self, settings: Settings) -> None:
        self._name = _without_port(urlsplit(settings.origin).netloc.lower())
        self._port = settings.port
        is_local = settings.public_url is None
        self._origins = {settings.origin}
        if is_local:
            self._origins |= {f"http://{name}:{self._port}" for name in _LOOPBACK_NAMES}
        # Without a configured address, people reach such a machine by its IP address.
        self._by_number = is_local and _is_unspecified(settings.host)

    def knows_host(self, host: str) -> bool:
        """Whether a `Host` header names this installation."""
        # Proxies drop the port or set their own, so only the name is checked.
        name = _without_port(host.lower())
        if name == self._name or name in _LOOPBACK_NAMES:
            return True
        return self._by_number and _is_of_this_machine(name)

    def knows_origin(self, origin: str) -> bool:
        """Whether an `Origin` header names a page of this installation."""
        if origin in self._origins:
            return True
        parts = urlsplit(origin)
        return (
            self._by_number
            and origin == f"http://{parts.netloc}"
            and parts.netloc.endswith(f":{self._port}")
            and _is_of_this_machine(_without_port(parts.netloc))
        )


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _is_unspecified(host: str) -> bool:
    number = _number(host)
    return number is not None and number.is_unspecified


def _is_of_this_machine(name: str) -> bool:
    number = _number(name)
    if number is None:
        return False
    return any(
        number == _number(address.address.partition("%")[0])
        for addresses in psutil.net_if_addrs().values()
        for address in addresses
    )


def _number(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None

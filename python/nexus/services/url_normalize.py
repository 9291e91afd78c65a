"""URLs of saved pages: which are taken, and the form shown and compared."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from nexus.config import Environment, Settings, get_settings
from nexus.errors import InvalidRequestError
from nexus.services.url_parse import UrlError, WebUrl, parse_web_url

_LOCAL_NAMES = ("localhost", "local", "internal", "localdomain", "home.arpa")


def validate_requested_url(url: str) -> None:
    """Raise InvalidRequestError with the reason unless the URL may be saved."""
    try:
        refuse_local_host(parse_web_url(url))
    except UrlError as error:
        raise InvalidRequestError(f"url: {error}") from None


def normalize_url_for_display(url: str) -> str:
    """Lowercase scheme and host, no fragment; path, query and port as they were written."""
    written = parse_web_url(url).written
    head, separator, rest = written.partition("?")
    parts = urlsplit(head.replace("\\", "/") + separator + rest)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path}{query}"


def normalize_url_for_dedup(final_url: str) -> str:
    """The identity of a page, from the URL the browser ended at."""
    return parse_web_url(final_url).href.partition("#")[0]


def refuse_local_host(url: WebUrl, settings: Settings | None = None) -> None:
    """Refuse hosts that are plainly not public, unless they are listed.

    The egress guard decides at fetch time, by address; this only says it early and in words.
    """
    settings = settings or get_settings()
    host = url.host.rstrip(".")
    if is_listed_private_host(host, url.port, url.scheme, settings):
        return
    address = _address(host)
    loopback = host == "localhost" or (address is not None and address.is_loopback)
    if settings.env is Environment.TEST and loopback:
        return
    local_name = any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)
    if local_name or (address is not None and not address.is_global):
        raise UrlError("this address is on a private network, which Nexus does not fetch")


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """The address a host is written as. Parsing made every spelling of it this one."""
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None


def is_listed_private_host(host: str, port: int | None, scheme: str, settings: Settings) -> bool:
    """Whether NEXUS_ALLOW_PRIVATE_HOSTS names this host, on any port or on this one."""
    actual_port = port or (443 if scheme == "https" else 80)
    listed = settings.allow_private_hosts
    return host in listed or f"{host}:{actual_port}" in listed

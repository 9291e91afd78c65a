"""Web addresses, parsed the way browsers do (WHATWG), so that all parts mean the same host."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ada_url import URL

from nexus.text import is_storable

MAX_URL_LENGTH = 2048
# Other alphabets grow up to ninefold when serialized; a unique index entry holds 2,700 bytes.
_MAX_HREF_LENGTH = 2500

# Browsers would also take `https:///x` and `https:x` for a host `x`; people who type that mean
# something else, so two slashes (either way round) and a host are required.
_AUTHORITY = re.compile(r"https?:[\\/]{2}([^\\/?#]+)", re.IGNORECASE)
_EDGES = "".join(map(chr, range(0x21)))
_REMOVED_BY_BROWSERS = str.maketrans("", "", "\t\n\r")


class UrlError(ValueError):
    """Why a text is not a web address that we accept, in words for a person."""


@dataclass(frozen=True, slots=True)
class WebUrl:
    """A parsed http(s) URL. `href` is the browser's own serialization."""

    written: str
    href: str
    scheme: str
    host: str
    port: int | None
    path: str
    query: str


# What is done with an address asks for it several times in a row.
@lru_cache(maxsize=1024)
def parse_web_url(text: str) -> WebUrl:
    """Parse an absolute http(s) URL; raise UrlError with the reason otherwise."""
    if len(text) > MAX_URL_LENGTH:
        raise UrlError(f"the address is longer than {MAX_URL_LENGTH} characters")
    if not is_storable(text):
        raise UrlError("the address contains characters that are not allowed")
    written = _trimmed(text)
    if not written.lower().startswith(("http:", "https:")):
        raise UrlError("the address must start with http:// or https://")
    authority = _AUTHORITY.match(written)
    if authority is None:
        raise UrlError("the address has no host")
    if "@" in authority[1]:
        raise UrlError("the address must not contain a user name or password")
    try:
        parsed = URL(written)
    except ValueError:
        raise UrlError("this is not a valid web address") from None
    if len(parsed.href) > _MAX_HREF_LENGTH:
        raise UrlError("the address is too long once its special characters are encoded")
    return WebUrl(
        written=written,
        href=parsed.href,
        scheme=parsed.protocol.removesuffix(":"),
        host=parsed.hostname,
        port=int(parsed.port) if parsed.port else None,
        path=parsed.pathname,
        query=parsed.search.removeprefix("?"),
    )


def names_host(text: str) -> bool:
    """Whether an http(s) address spells out its host, and does not leave browsers to guess."""
    return _AUTHORITY.match(_trimmed(text)) is not None


def _trimmed(text: str) -> str:
    """What browsers do first: trim controls and spaces at the ends, drop tabs and line breaks."""
    return text.strip(_EDGES).translate(_REMOVED_BY_BROWSERS)

"""Identity of a URL given to `POST /media/url`: validated, canonical, tracking stripped."""

from urllib.parse import unquote_plus

from nexus.egress.url_parse import UrlError, WebUrl, parse_web_url
from nexus.errors import InvalidRequestError
from nexus.services.url_normalize import refuse_private_host

_TRACKING_PREFIX = "utm_"
_TRACKING_NAMES = frozenset({"gclid", "fbclid"})


def validate_url(url: str) -> WebUrl:
    """The parsed URL; E_INVALID_URL if it is not one we accept."""
    try:
        parsed = parse_web_url(url)
        refuse_private_host(parsed)
    except UrlError as error:
        raise InvalidRequestError(f"url: {error}", code="E_INVALID_URL") from None
    return parsed


def canonicalize_url(url: WebUrl) -> str:
    """Lowercase scheme and host, no default port, no fragment, no tracking; order kept."""
    kept = [part for part in url.query.split("&") if part and not _is_tracking(part)]
    without_query = url.href.partition("#")[0].partition("?")[0]
    return f"{without_query}?{'&'.join(kept)}" if kept else without_query


def lookup_key(url: WebUrl) -> str:
    """What different spellings of an address have in common: all but tracking and scheme."""
    return canonicalize_url(url).partition(":")[2]


def _is_tracking(parameter: str) -> bool:
    name = unquote_plus(parameter.partition("=")[0]).lower()
    return name.startswith(_TRACKING_PREFIX) or name in _TRACKING_NAMES

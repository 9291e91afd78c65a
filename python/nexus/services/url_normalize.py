"""URLs of saved pages: which are accepted, and the forms that are shown and compared."""

from urllib.parse import urlsplit

from nexus.config import get_settings
from nexus.egress.guard import InvalidTarget, PrivateTarget, check_url
from nexus.egress.url_parse import UrlError, WebUrl, parse_web_url
from nexus.errors import InvalidRequestError


def validate_requested_url(url: str) -> None:
    """Raise InvalidRequestError with the reason unless the URL may be saved."""
    try:
        refuse_private_host(parse_web_url(url))
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


def refuse_private_host(url: WebUrl) -> None:
    """Refuse hosts that are clearly not public, early and with a clear message.

    The same rules apply again at fetch time, then to the addresses a name resolves to.
    """
    try:
        check_url(url.href, get_settings())
    except PrivateTarget as error:
        raise UrlError(error.message) from None
    except InvalidTarget:
        # An odd port is for the fetcher to refuse; the address itself is valid.
        return

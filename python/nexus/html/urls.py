"""URLs of links and images, resolved as a browser resolves them (the WHATWG URL standard)."""

import re
from collections.abc import Collection, Iterator
from urllib.parse import quote, unquote

import ada_url
from selectolax.lexbor import LexborNode

IMAGE_PROXY_PREFIX = "/media/image?url="
# A picture that was stored with its document, by the hash of its bytes.
_STORED_PICTURE = re.compile(
    r"/media/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/pictures/[0-9a-f]{64}\.[a-z]{3,4}"
)
LINK_SCHEMES = frozenset({"http", "https", "mailto"})
IMAGE_SCHEMES = frozenset({"http", "https"})
MAX_URL_LENGTH = 8192
MAX_SOURCES = 24  # of one picture
MAX_SRCSET_CHARACTERS = 32_768
# Wide enough for a reading column on a dense screen.
PREFERRED_IMAGE_WIDTH = 1600.0

_LAZY_URL_ATTRIBUTES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-original-src",
    "data-actualsrc",
    "data-hi-res-src",
    "data-full-src",
    "data-echo",
)
_LAZY_SRCSET_ATTRIBUTES = ("data-srcset", "data-lazy-srcset", "data-original-set")
_LOOKS_LIKE_A_PATH = re.compile(r"[./]")
_DESCRIPTOR = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)([wx])")

_Attributes = dict[str, str | None]


def proxied(address: str) -> str:
    """The path an image is shown from: the image proxy's, unless it is stored here."""
    return address if is_stored_picture(address) else IMAGE_PROXY_PREFIX + quote(address, safe="")


def original(path: str) -> str:
    """The address of the image that is shown from a path."""
    return unquote(path.removeprefix(IMAGE_PROXY_PREFIX))


def is_stored_picture(path: str) -> bool:
    return _STORED_PICTURE.fullmatch(path) is not None


def is_image_path(path: str) -> bool:
    """Whether the images of sanitized HTML may have this address."""
    return path.startswith(IMAGE_PROXY_PREFIX) or is_stored_picture(path)


class UrlResolver:
    """Makes the URLs of one page absolute; returns None for those that may not be kept.

    Images may also be among the `pictures` that are stored with the document.
    """

    def __init__(self, base_url: str, pictures: Collection[str] = ()) -> None:
        self._pictures = pictures
        self._base = base_url if _scheme(base_url) and ada_url.check_url(base_url) else None

    def link(self, value: str) -> str | None:
        """The absolute http, https or mailto URL of a link."""
        # "" and "#" lead back to the page itself: they are buttons, not links.
        return self._absolute(value, LINK_SCHEMES) if value.strip(" \t\n\f\r#") else None

    def image(self, value: str) -> str | None:
        """The path to show an image from: the image proxy's for one on the web."""
        value = value.strip(" \t\n\f\r")
        if value in self._pictures:
            return value
        if value.startswith(IMAGE_PROXY_PREFIX):
            value = original(value)
            if _scheme(value) not in IMAGE_SCHEMES:
                return None
        url = self._absolute(value, IMAGE_SCHEMES) if value else None
        return proxied(url) if url else None

    def _absolute(self, value: str, schemes: frozenset[str]) -> str | None:
        if len(value) > MAX_URL_LENGTH:
            return None
        try:
            url: str = (
                ada_url.join_url(self._base, value) if self._base else ada_url.normalize_url(value)
            )
        except ValueError:
            return None
        return url if _scheme(url) in schemes and len(url) <= MAX_URL_LENGTH else None


def image_src(img: LexborNode, urls: UrlResolver) -> str | None:
    """Choose the one URL to show for an `img`, also inside `picture` or loaded lazily by script."""
    attributes = img.attributes
    if is_pixel(attributes):
        return None
    for candidate in _candidates(img, attributes):
        url = urls.image(candidate)
        if url:
            return url
    return None


_PIXEL = frozenset({"0", "1", "0px", "1px"})


def is_pixel(attributes: _Attributes) -> bool:
    """Whether an image or frame counts visits and shows nothing."""
    return attributes.get("width") in _PIXEL and attributes.get("height") in _PIXEL


def _candidates(img: LexborNode, attributes: _Attributes) -> Iterator[str]:
    for name in _LAZY_URL_ATTRIBUTES:
        value = attributes.get(name)
        if value and _LOOKS_LIKE_A_PATH.search(value):
            yield value
    yield from _best_of_each(attributes, _LAZY_SRCSET_ATTRIBUTES)
    yield attributes.get("src") or ""
    yield from _best_of_each(attributes, ("srcset",))
    parent = img.parent
    outer = img
    if parent is not None and parent.tag == "picture":
        outer = parent
        for source in _sources_before(img):
            yield from _best_of_each(source.attributes, ("srcset", *_LAZY_SRCSET_ATTRIBUTES))
    yield from _noscript_fallback(outer)


def _sources_before(img: LexborNode) -> list[LexborNode]:
    """The sources that a browser would choose from: those since the previous image."""
    sources: list[LexborNode] = []
    sibling = img.prev
    while sibling is not None and sibling.tag != "img":
        if sibling.tag == "source":
            sources.append(sibling)
        sibling = sibling.prev
    return sources[::-1][:MAX_SOURCES]


def _noscript_fallback(image: LexborNode) -> Iterator[str]:
    sibling = image.next
    while (
        sibling is not None and sibling.tag == "-text" and not (sibling.text_content or "").strip()
    ):
        sibling = sibling.next
    if sibling is not None and sibling.tag == "noscript":
        fallback = sibling.css_first("img")
        if fallback is not None:
            yield fallback.attributes.get("src") or ""


def _best_of_each(attributes: _Attributes, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = attributes.get(name)
        if value:
            yield from _by_preference(value)


def _by_preference(srcset: str) -> list[str]:
    """The widest candidates up to the preferred width, then the narrowest above it."""
    candidates = list(_parse_srcset(srcset))
    candidates.sort(key=lambda c: (c[1] > PREFERRED_IMAGE_WIDTH, abs(c[1] - PREFERRED_IMAGE_WIDTH)))
    return [url for url, _ in candidates[:3]]


def _parse_srcset(srcset: str) -> Iterator[tuple[str, float]]:
    url, width = "", _UNKNOWN_WIDTH
    for token in srcset[:MAX_SRCSET_CHARACTERS].split():
        rest = token
        if url:
            descriptor, comma, rest = rest.partition(",")
            if width == _UNKNOWN_WIDTH:
                width = _width(descriptor)
            if not comma:
                continue
            yield url, width
            url, width = "", _UNKNOWN_WIDTH
        rest = rest.lstrip(",")
        if rest.endswith(","):
            yield rest.rstrip(","), _UNKNOWN_WIDTH
        else:
            url = rest
    if url:
        yield url, width


_UNKNOWN_WIDTH = PREFERRED_IMAGE_WIDTH / 2


def _width(descriptor: str) -> float:
    found = _DESCRIPTOR.fullmatch(descriptor)
    if found is None:
        return _UNKNOWN_WIDTH
    return float(found[1]) * (1 if found[2] == "w" else _UNKNOWN_WIDTH)


def _scheme(url: str) -> str:
    return url.partition(":")[0].lower() if ":" in url else ""

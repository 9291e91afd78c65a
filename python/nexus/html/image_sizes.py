"""The sizes a page declares for its images, where they are plausible."""

import re

from nexus.html.source import parse_untrusted_html
from nexus.html.urls import UrlResolver, image_src, original

Size = tuple[int, int]

# Nothing larger is shown (`images.inspect`).
_MAX_SIDE = 4096
# An image thinner than this is a line, or a mistake in the page.
_MAX_RATIO = 50
_PIXELS = re.compile(r"\s*(\d{1,5})(?:\.\d*)?(?:px)?\s*")


def declared_sizes(html: str, base_url: str) -> dict[str, Size]:
    """The sizes of a page's images, by address."""
    body = parse_untrusted_html(html)
    urls = UrlResolver(base_url)
    sizes: dict[str, Size] = {}
    for image in body.css("img[width][height]") if body is not None else ():
        size = _sane(image.attributes.get("width"), image.attributes.get("height"))
        src = image_src(image, urls) if size else None
        if size and src:
            sizes.setdefault(original(src), size)
    return sizes


def _sane(width: str | None, height: str | None) -> Size | None:
    wide, high = (_PIXELS.fullmatch(value or "") for value in (width, height))
    if wide is None or high is None:
        return None
    size = int(wide[1]), int(high[1])
    usual = min(size) > 1 and max(size) <= _MAX_SIDE and max(size) <= _MAX_RATIO * min(size)
    return size if usual else None

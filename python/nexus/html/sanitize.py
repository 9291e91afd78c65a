"""Turns a page's HTML into the only HTML Nexus stores and shows.

Three steps: parse as HTML5 (`source`), walk the tree and write what may stay in a normal
form (`walk` and `writer`), and pass the result through nh3, whose allowlist has the last
word. The result is a fixed point, and a browser that parses it serializes the same string.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NewType

import nh3

from nexus.html.anchors import Place, Places, is_internal
from nexus.html.attributes import KEPT_ATTRIBUTES
from nexus.html.mathml import MATH_ATTRIBUTES
from nexus.html.source import (
    OF_A_PAGE,
    SanitizationError,
    SizeLimits,
    check_size,
    parse_untrusted_html,
)
from nexus.html.tags import ALLOWED_TAGS
from nexus.html.urls import LINK_SCHEMES, UrlResolver, is_image_path
from nexus.html.walk import Walk, put_titles_first
from nexus.html.writer import OutputTooLargeError

__all__ = ["SanitizationError", "SanitizedHtml", "sanitize_html"]

SanitizedHtml = NewType("SanitizedHtml", str)
"""HTML that `sanitize_html` made. Nothing else may be stored as `html_sanitized`."""

_MAX_PASSES = 3


def sanitize_html(html: str, base_url: str) -> SanitizedHtml:
    """Sanitize a page or a part of one; relative URLs are resolved against `base_url`.

    Links to places inside it become text. Raises SanitizationError when the page is beyond the
    limits.
    """
    return SanitizedHtml(sanitize_file(html, base_url, None).html)


@dataclass(frozen=True, slots=True)
class MarkedHtml:
    """Sanitized HTML with marks in its text and numbers in its links, as `anchors` has them."""

    html: str
    names: list[str]
    """What each mark stands for, in order; those after the last mark stand at the end."""
    links: list[Place]


def sanitize_file(
    html: str,
    base_url: str,
    own: Collection[str] | None,
    others: Collection[str] = (),
    *,
    pictures: Collection[str] = (),
    limits: SizeLimits = OF_A_PAGE,
) -> MarkedHtml:
    """Sanitize one of the files of a document, known by its own addresses and those of the others.

    Without addresses of its own, nothing in it is marked. The `pictures` are those stored with it.
    """
    urls = UrlResolver(base_url, pictures)
    for _ in range(_MAX_PASSES):
        places = Places(urls, own, others)
        names: list[str] = []
        written = write_normal_form(html, urls, places, names, limits)
        html = ALLOWLIST.clean(written)
        if html == written:
            check_size(html, limits)
            return MarkedHtml(html, names, places.links)
    raise SanitizationError("The page's HTML could not be brought into a stable form.")


ALLOWED_ATTRIBUTES = {
    "a": {"href", "title", "rel", "target", "referrerpolicy"},
    "img": {"src", "alt"},
    **KEPT_ATTRIBUTES,
    **MATH_ATTRIBUTES,
}


def _keep_attribute(tag: str, name: str, value: str) -> str | None:
    is_foreign_image = tag == "img" and name == "src" and not is_image_path(value)
    return None if is_foreign_image else value


ALLOWLIST = nh3.Cleaner(
    tags=set(ALLOWED_TAGS),
    clean_content_tags={"script", "style"},
    attributes=ALLOWED_ATTRIBUTES,
    attribute_filter=_keep_attribute,
    url_schemes=set(LINK_SCHEMES),
    url_relative=lambda url: url if is_image_path(url) or is_internal(url) else None,
    link_rel=None,
    strip_comments=True,
)


def write_normal_form(
    html: str,
    urls: UrlResolver,
    places: Places | None = None,
    names: list[str] | None = None,
    limits: SizeLimits = OF_A_PAGE,
) -> str:
    """The first two steps: what may stay, written as `writer` describes.

    The names of the places that are marked are added to `names`.
    """
    body = parse_untrusted_html(html, limits)
    if body is None:
        return ""
    put_titles_first(body)
    try:
        return Walk(body, urls, places or Places(urls), [] if names is None else names).run()
    except OutputTooLargeError as error:
        raise SanitizationError("The page is too large once it is cleaned up.") from error

"""The attributes of links: absolute addresses, and places inside the document itself."""

import re
from functools import lru_cache

from selectolax.lexbor import LexborNode

from nexus.html.anchors import Places
from nexus.html.text import clean_attribute, escape_attribute
from nexus.html.urls import UrlResolver

_REL_WORD = re.compile(r"[a-z][a-z-]{0,30}")
_MAX_REL = 200  # bounds what a page can make us remember of one link


def link_attributes(node: LexborNode, urls: UrlResolver, places: Places) -> str | None:
    """What is written of a link's attributes; None if it leads nowhere and only its text stays."""
    attributes = node.attributes
    href = attributes.get("href") or ""
    title = attributes.get("title") or ""
    if "#" in href or places.has_others:
        inside = places.href(href)
        if inside is not None:
            return f' href="{inside}"{_title(title)}' if inside else None
    return address_attributes(urls.link(href), title, attributes.get("rel") or "")


def address_attributes(href: str | None, title: str = "", rel: str = "") -> str:
    """The attributes of a link to somewhere on the web, or of one that lost its address."""
    if not href:
        return _title(title)
    rel = _link_rel(rel[:_MAX_REL])
    return (
        f' href="{escape_attribute(href)}"{_title(title)}'
        f' rel="{rel}" target="_blank" referrerpolicy="no-referrer"'
    )


def _title(title: str) -> str:
    title = clean_attribute(title) if title else ""
    return f' title="{title}"' if title else ""


@lru_cache(maxsize=256)
def _link_rel(existing: str) -> str:
    words = [word for word in existing.lower().split()[:10] if _REL_WORD.fullmatch(word)]
    kept = [word for word in words if word != "opener"]  # it would undo noopener
    return " ".join(dict.fromkeys([*kept, "noopener", "noreferrer"]))

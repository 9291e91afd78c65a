"""What a page says about itself, as far as it can be believed: bounded text, never HTML."""

import re
from typing import Any

from nexus.extractors.interface import Metadata
from nexus.extractors.web_article.published import published_at
from nexus.html.urls import UrlResolver
from nexus.text import collapse_name, is_storable

MOST_AUTHORS = 20
_NAME_CHARACTERS = 200
_EXCERPT_CHARACTERS = 1_000
_URL_CHARACTERS = 2_000
_DECLARED_CHARACTERS = 4_000

_LANGUAGE = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-[a-z]{3}){0,3}(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*"
    r"(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?",
    re.IGNORECASE,
)
# Soft hyphens, byte order marks, and what turns the direction of the text that follows.
_INVISIBLE = re.compile("[\u00ad\u202a-\u202e\u2066-\u2069\ufeff]")
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "mis"})


def validated(declared: object, base_url: str) -> Metadata:
    """`declared` is what the extractor sent, or None from one that sends nothing."""
    if not isinstance(declared, dict):
        return Metadata()
    date = _text(declared, "published_at", 100)
    language = _text(declared, "language", 100)
    return Metadata(
        authors=_authors(declared.get("authors")),
        site_name=_text(declared, "site_name", _NAME_CHARACTERS),
        published_at=published_at(date) if date else None,
        language=_language(language) if language else None,
        excerpt=_text(declared, "excerpt", _EXCERPT_CHARACTERS),
        lead_image_url=_image(declared.get("lead_image_url"), base_url),
    )


def _text(declared: dict[str, Any], key: str, most: int) -> str | None:
    return _clean(declared.get(key), most)


def _clean(value: object, most: int) -> str | None:
    if not isinstance(value, str):
        return None
    storable = value[:_DECLARED_CHARACTERS].encode("utf-8", "replace").decode()
    text = collapse_name(_INVISIBLE.sub("", storable))
    if len(text) > most:
        text = text[: most - 1].rstrip() + "…"
    return text or None


def _authors(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    names = (_clean(name, _NAME_CHARACTERS) for name in value[: 2 * MOST_AUTHORS])
    return tuple(dict.fromkeys(name for name in names if name))[:MOST_AUTHORS]


def _image(value: object, base_url: str) -> str | None:
    if not isinstance(value, str) or len(value) > _URL_CHARACTERS or not is_storable(value):
        return None
    url = UrlResolver(base_url).link(value)
    return url if url and url.startswith(("https:", "http:")) else None


def _language(text: str) -> str | None:
    """A BCP 47 tag as it is usually written: `en_us` is `en-US`."""
    first = re.split(r"[,;\s]", text, maxsplit=1)[0].replace("_", "-")
    match = _LANGUAGE.fullmatch(first)
    if not match or match["language"].lower() in _NO_LANGUAGE:
        return None
    parts = first.lower().split("-")
    for name, write in (("script", str.title), ("region", str.upper)):
        part = match[name]
        if part:
            at = parts.index(part.lower(), 1)
            parts[at] = write(part)
    return "-".join(parts)

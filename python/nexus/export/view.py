"""An item as templates see it: plain values under plain names."""

from typing import Any

from nexus.db.enums import HighlightColor
from nexus.db.models import UnplacedHighlight
from nexus.export.items import ExportedItem
from nexus.schemas.highlights import HighlightOfMedia, HighlightOut

View = dict[str, Any]


def view_of(item: ExportedItem) -> View:
    media = item.media
    return {
        "title": media.title,
        "address": item.address or "",
        "kind": media.kind.value,
        "authors": media.authors,
        "site": media.site_name or "",
        "published": media.published_at or "",
        "language": media.language or "",
        "excerpt": media.excerpt or "",
        "word_count": media.word_count,
        "page_count": media.page_count,
        "saved": f"{media.saved_at:%Y-%m-%d}",
        "state": media.state.value,
        "progress": round(media.progress, 4),
        "archived": media.archived,
        "favourite": media.favourite,
        "tags": media.tags,
        "libraries": item.libraries,
        "id": str(media.id),
        "highlights": [
            *(_highlight(item, each) for each in item.highlights),
            *map(_unplaced, item.unplaced),
        ],
        "text": "\n".join(fragment.text for fragment in item.fragments),
    }


def page_words(highlight: HighlightOut) -> str:
    """Where it is, as one cites it: "p. xii", "pp. 12–13"."""
    pages = [page for page in (highlight.page, highlight.end_page) if page is not None]
    labels = [page.label.strip() or str(page.number) for page in pages]
    return f"{'pp.' if len(labels) > 1 else 'p.'} {'–'.join(labels)}"


def _highlight(item: ExportedItem, highlight: HighlightOfMedia) -> View:
    part = item.parts.get(highlight.fragment_id)
    return {
        "text": highlight.exact,
        "note": highlight.annotation.body if highlight.annotation else "",
        "color": highlight.color.value,
        "page": page_words(highlight) if highlight.page else "",
        "chapter": (part.label if part else None) or "",
        "made": f"{highlight.created_at:%Y-%m-%d}",
        "id": str(highlight.id),
        "found": True,
    }


def _unplaced(one: UnplacedHighlight) -> View:
    return {
        "text": one.quote,
        "note": one.note or "",
        "color": (one.color or HighlightColor.YELLOW).value,
        "page": f"p. {one.page}" if one.page else "",
        "chapter": "",
        "made": f"{one.created_at:%Y-%m-%d}",
        "id": str(one.id),
        "found": False,
    }


# What a template is tried with before anything is written: with everything, and with nothing.
_SOME = {
    "title": "A title",
    "address": "https://example.org/",
    "kind": "web_article",
    "authors": ["An author"],
    "site": "A site",
    "published": "2026-01-31",
    "language": "en",
    "excerpt": "An excerpt",
    "word_count": 3,
    "page_count": 1,
    "saved": "2026-01-31",
    "state": "reading",
    "progress": 0.5,
    "archived": False,
    "favourite": True,
    "tags": ["a tag"],
    "libraries": ["A library"],
    "id": "00000000-0000-4000-8000-000000000000",
    "highlights": [
        {
            "text": "A passage",
            "note": "A note",
            "color": "yellow",
            "page": "p. 1",
            "chapter": "A chapter",
            "made": "2026-01-31",
            "id": "00000000-0000-4000-8000-000000000001",
            "found": True,
        }
    ],
    "text": "A first line\nA passage",
}
_EMPTY: dict[type, Any] = {str: "", list: [], int: None, float: 0.0, bool: False}
SAMPLES: tuple[View, ...] = (
    _SOME,
    {name: _EMPTY[type(value)] for name, value in _SOME.items()} | {"title": "A title"},
)

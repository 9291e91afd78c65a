"""Highlights to paste elsewhere."""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy.orm import Session

from nexus.errors import TooLargeError
from nexus.export.markdown import inline, link, paragraphs, quote
from nexus.export.view import page_words
from nexus.schemas.highlights import CopiedHighlights, CopyFormat, HighlightOfMedia, HighlightOut
from nexus.schemas.media import MediaOut
from nexus.services.highlight_filters import HighlightFilter
from nexus.services.highlight_read import in_reading_order, list_all_highlights
from nexus.services.media_read import media_out
from nexus.services.viewer import Viewer

MOST_COPIED = 500


def copied_highlights(
    session: Session,
    viewer: Viewer,
    *,
    wanted: HighlightFilter,
    format: CopyFormat = CopyFormat.MARKDOWN,
) -> CopiedHighlights:
    """Item by item with its source; the item with the newest highlight comes first."""
    found = list_all_highlights(session, viewer, cursor=None, limit=MOST_COPIED, wanted=wanted)
    if found.next_cursor is not None:
        raise TooLargeError(
            f"These are more than {MOST_COPIED} highlights, too many to copy at once. Narrow them "
            "down, or export them."
        )
    items: dict[UUID, list[HighlightOfMedia]] = {
        highlight.media_id: [] for highlight in found.highlights
    }
    for highlight in in_reading_order(session, found.highlights):
        items[highlight.media_id].append(highlight)
    section = _as_markdown if format is CopyFormat.MARKDOWN else _as_text
    sections = [
        section(media_out(session, viewer_id=viewer.user_id, media_id=media_id), highlights)
        for media_id, highlights in items.items()
    ]
    text = "\n\n".join(sections)
    return CopiedHighlights(markdown=f"{text}\n" if text else "", count=len(found.highlights))


def _address(media: MediaOut) -> str:
    return media.canonical_source_url or media.requested_url or ""


def _as_markdown(media: MediaOut, highlights: Iterable[HighlightOut]) -> str:
    source = link(_address(media))
    parts = [f"## {inline(media.title)}", *([source] if source else [])]
    for highlight in highlights:
        page = [inline(page_words(highlight))] if highlight.page else []
        about = ", ".join([*page, highlight.color, f"{highlight.created_at:%Y-%m-%d}"])
        parts += [quote(highlight.exact), f"*{about}*"]
        if highlight.annotation:
            parts.append(paragraphs(highlight.annotation.body))
    return "\n\n".join(parts)


def _as_text(media: MediaOut, highlights: Iterable[HighlightOut]) -> str:
    """Passages in quotation marks, notes below them, and the source as one cites it."""
    parts = []
    for highlight in highlights:
        page = f" ({page_words(highlight)})" if highlight.page else ""
        parts.append(f"“{highlight.exact.strip()}”{page}")
        if highlight.annotation:
            parts.append(highlight.annotation.body.strip())
    source = [", ".join(media.authors), media.title, media.site_name or "", _address(media)]
    return "\n\n".join([*parts, f"— {', '.join(part for part in source if part)}"])

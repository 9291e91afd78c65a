"""W3C Web Annotations: one collection in JSON-LD, an annotation for each highlight."""

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from nexus.db.models import UnplacedHighlight
from nexus.export.items import ExportedItem
from nexus.export.job import ExportJob
from nexus.schemas.highlights import HighlightOfMedia

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
Json = dict[str, Any]

_PDF_FRAGMENTS = "http://tools.ietf.org/rfc/rfc3778"


def write(job: ExportJob) -> Iterator[bytes]:
    """Written around the annotations, which are too many to be held."""
    head = {
        "@context": _CONTEXT,
        "id": "urn:nexus:annotations",
        "type": "AnnotationCollection",
        "label": "Highlights and notes",
        "total": job.selection.count_highlights(),
    }
    first = {"id": "urn:nexus:annotations:1", "type": "AnnotationPage", "startIndex": 0}
    yield (_json(head)[:-1] + ', "first": ' + _json(first)[:-1] + ', "items": [').encode()
    comma = "\n"
    for item in job.items(marked=True):
        placed = (_annotation(item, each) for each in item.highlights)
        for annotation in (*placed, *(_unplaced(item, each) for each in item.unplaced)):
            yield f"{comma}{_json(annotation)}".encode()
            comma = ",\n"
    yield b"\n]}}\n"


def _annotation(item: ExportedItem, highlight: HighlightOfMedia) -> Json:
    note = highlight.annotation
    changed = max(highlight.updated_at, note.updated_at) if note else highlight.updated_at
    about = {"styleClass": highlight.color.value, "selector": _selectors(item, highlight)}
    dates = (highlight.created_at, changed)
    return _written(item, highlight.id, note.body if note else None, dates, about)


def _unplaced(item: ExportedItem, one: UnplacedHighlight) -> Json:
    """Without a place in the text; on the item as a whole, if there is only a note."""
    about: Json = {"styleClass": one.color.value} if one.color else {}
    if one.quote:
        about["selector"] = [_quote(one.quote, one.prefix, one.suffix)]
    return _written(item, one.id, one.note, (one.created_at, one.updated_at), about)


def _written(
    item: ExportedItem, id: UUID, note: str | None, dates: tuple[datetime, datetime], about: Json
) -> Json:
    bodies = [_body(note, "commenting")] if note else []
    bodies += [_body(tag, "tagging") for tag in item.media.tags]
    return {
        "id": f"urn:uuid:{id}",
        "type": "Annotation",
        "motivation": "commenting" if note else "highlighting",
        "created": _time(dates[0]),
        "modified": _time(dates[1]),
        **({"body": bodies} if bodies else {}),
        "target": {
            "source": item.address or _name(item),
            "dc:title": item.media.title,
            **about,
        },
    }


def _selectors(item: ExportedItem, highlight: HighlightOfMedia) -> list[Json]:
    start = item.offset(highlight)
    selectors: list[Json] = [
        _quote(highlight.exact, highlight.prefix, highlight.suffix),
        # In code points, as the model requires and as they are stored.
        {
            "type": "TextPositionSelector",
            "start": start,
            "end": start + highlight.end_offset - highlight.start_offset,
        },
    ]
    if highlight.page is not None:
        page = f"page={highlight.page.number}"
        selectors.append({"type": "FragmentSelector", "conformsTo": _PDF_FRAGMENTS, "value": page})
    return selectors


def _quote(exact: str, prefix: str, suffix: str) -> Json:
    return {"type": "TextQuoteSelector", "exact": exact, "prefix": prefix, "suffix": suffix}


def _body(value: str, purpose: str) -> dict[str, str]:
    return {"type": "TextualBody", "value": value, "format": "text/plain", "purpose": purpose}


def _name(item: ExportedItem) -> str:
    """A file without an address is named by its contents (RFC 6920)."""
    if item.sha256 is None:
        return f"urn:uuid:{item.media.id}"
    digest = base64.urlsafe_b64encode(bytes.fromhex(item.sha256)).decode().rstrip("=")
    return f"ni:///sha-256;{digest}"


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)

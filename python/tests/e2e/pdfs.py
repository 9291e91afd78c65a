"""PDFs that were read already, with a text of the test's own choosing."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Fragment, MediaFile, MediaOutline
from nexus.html.canonicalize import canonicalize
from nexus.storage import get_storage_client
from nexus.storage.paths import object_path
from tests.e2e.reading import Person
from tests.factories import make_media


def store_pdf(
    session: Session,
    owner: Person,
    content: bytes,
    *,
    html: str = "",
    pages: Sequence[str],
    labels: Sequence[str] | None = None,
    **fields: Any,
) -> Fragment:
    """A PDF as its extractor stores it; `pages` are the texts of its pages as pdf.js has them."""
    text = canonicalize(html)
    assert text.replace("\n", " ") == " ".join(page for page in pages if page)
    fields = {"processing_status": ProcessingStatus.READY_FOR_READING, **fields}
    media = make_media(
        session,
        owner.viewer,
        kind=MediaKind.PDF,
        requested_url=None,
        page_count=len(pages),
        **{"title": "Of rivers", **fields},
    )
    settings = owner.nexus.settings
    path = object_path(media.id, "pdf", prefix=settings.storage_prefix)
    kind = "application/pdf"
    get_storage_client(settings).put(
        path, content_type=kind, size_bytes=len(content), chunks=[content]
    )
    file = MediaFile(
        media_id=media.id, storage_path=path, content_type=kind, size_bytes=len(content)
    )
    fragment = Fragment(media_id=media.id, idx=0, html_sanitized=html, canonical_text=text)
    starts = accumulate((len(page) + 1 if page else 0 for page in pages), initial=0)
    starts_in_text = [min(start, len(text)) for start in starts][: len(pages)]
    outline = MediaOutline(
        media_id=media.id,
        contents=[],
        pages=[
            {"number": number, "label": label, "fragment_idx": 0, "offset": start}
            for number, (label, start) in enumerate(
                zip(labels or map(str, range(1, len(pages) + 1)), starts_in_text, strict=True), 1
            )
        ],
    )
    session.add_all([file, outline, *([fragment] if text else [])])
    session.commit()
    if text:
        session.refresh(fragment)
    return fragment

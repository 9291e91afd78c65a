"""W3C Web Annotations."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from nexus.db.enums import HighlightColor, MediaKind
from nexus.db.models import Fragment, MediaOutline
from nexus.schemas.exports import ExportFormat
from nexus.schemas.shelf import MineRequest
from nexus.services.shelf import change_mine
from nexus.services.viewer import Viewer
from tests.export.exporting import exported, mark
from tests.factories import make_article, make_user

MADE = datetime(2026, 5, 1, 10, 0, 7, tzinfo=UTC)


def collection(session: Session, viewer: Viewer) -> dict[str, Any]:
    data, _ = exported(session, viewer, ExportFormat.W3C)
    found: dict[str, Any] = json.loads(data)
    return found


def test_a_collection_of_annotations(session: Session) -> None:
    ada, bo = make_user(session), make_user(session)
    article = make_article(session, ada, title='A "title" </script>', text="🙂 One two three.")
    request = MineRequest(tags=["idea", "a b"])
    change_mine(session, ada, media_id=article.media_id, request=request)
    noted = mark(session, ada, article, 2, 9, note="My note", created_at=MADE, updated_at=MADE)
    plain = mark(session, ada, article, 6, 15, color=HighlightColor.BLUE, created_at=MADE)
    mark(session, bo, article, 0, 1)
    found = collection(session, ada)
    assert found["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert (found["type"], found["total"]) == ("AnnotationCollection", 2)
    assert found["first"]["type"] == "AnnotationPage"
    first, second = found["first"]["items"]
    assert (first["id"], second["id"]) == (f"urn:uuid:{noted}", f"urn:uuid:{plain}")
    assert (first["motivation"], second["motivation"]) == ("commenting", "highlighting")
    assert first["created"] == "2026-05-01T10:00:07Z"
    assert [(body["purpose"], body["value"]) for body in first["body"]] == [
        ("commenting", "My note"),
        ("tagging", "a b"),
        ("tagging", "idea"),
    ]
    assert first["target"] == {
        "source": "https://example.org/article",
        "dc:title": 'A "title" </script>',
        "styleClass": "yellow",
        "selector": [
            {
                "type": "TextQuoteSelector",
                "exact": "One two",
                "prefix": "🙂 ",
                "suffix": " three.",
            },
            {"type": "TextPositionSelector", "start": 2, "end": 9},
        ],
    }


def test_places_in_a_file_count_from_its_start_and_name_the_page(session: Session) -> None:
    ada = make_user(session)
    first = make_article(
        session,
        ada,
        text="Page one.",
        kind=MediaKind.PDF,
        requested_url=None,
        title="A file",
        page_count=2,
    )
    second = Fragment(
        media_id=first.media_id,
        idx=1,
        html_sanitized="<p>Page two.</p>",
        canonical_text="Page two.",
    )
    pages = [
        {"number": number, "label": str(number), "fragment_idx": number - 1, "offset": 0}
        for number in (1, 2)
    ]
    session.add_all([second, MediaOutline(media_id=first.media_id, contents=[], pages=pages)])
    session.commit()
    mark(session, ada, second, 5, 8)
    [annotation] = collection(session, ada)["first"]["items"]
    assert annotation["target"]["source"] == f"urn:uuid:{first.media_id}"
    assert annotation["target"]["selector"][1:] == [
        {"type": "TextPositionSelector", "start": 14, "end": 17},
        {
            "type": "FragmentSelector",
            "conformsTo": "http://tools.ietf.org/rfc/rfc3778",
            "value": "page=2",
        },
    ]


def test_nobody_without_highlights_gets_a_broken_file(session: Session) -> None:
    found = collection(session, make_user(session))
    assert (found["total"], found["first"]["items"]) == (0, [])

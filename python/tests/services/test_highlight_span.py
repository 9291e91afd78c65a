"""The drift gate against every script: what is stored is exactly the Python slice."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.models import Highlight
from nexus.errors import InvalidRequestError
from nexus.schemas.highlights import CreateHighlightRequest
from nexus.services.highlight_write import create_highlight
from tests.factories import make_article, make_user
from tests.highlights import highlight_body

PIECES = st.sampled_from(
    [
        "word ",
        "\n",
        "🦊",
        "👩‍👩‍👧‍👦",
        "🏳️‍🌈",
        "e\u0301",
        "ﷺ",
        "שלום ",
        "العربية ",
        "日本語",
        "𝔘𝔫𝔦",
        "\u200d",
        "\u202e",
        "Å",
        "\U0010ffff",
        " ",
    ]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=120).map("".join)


def request_for(text: str, start: int, end: int, **changes: Any) -> CreateHighlightRequest:
    return CreateHighlightRequest(**highlight_body(text, start, end, **changes))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=TEXTS, data=st.data())
def test_what_is_stored_is_the_slice(session: Session, text: str, data: st.DataObject) -> None:
    viewer = make_user(session)
    fragment = make_article(session, viewer, text=text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    stored, _ = create_highlight(
        session, viewer, fragment_id=fragment.id, request=request_for(text, start, end)
    )
    assert stored.exact == text[start:end]
    assert stored.prefix == text[:start][-64:]
    assert stored.suffix == text[end:][:64]
    in_database = session.scalars(
        select(func.substr(fragment.__class__.canonical_text, start + 1, end - start)).where(
            fragment.__class__.id == fragment.id
        )
    ).one()
    assert in_database == stored.exact
    session.commit()


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=TEXTS, data=st.data())
def test_anything_else_is_refused_and_changes_nothing(
    session: Session, text: str, data: st.DataObject
) -> None:
    viewer = make_user(session)
    fragment = make_article(session, viewer, text=text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    right = request_for(text, start, end)
    wrong: dict[str, Any] = data.draw(
        st.sampled_from(
            [
                {"exact": right.exact + "x"},
                {"exact": right.exact[1:] + "\ue000"},
                {"prefix": right.prefix + " "},
                {"prefix": right.prefix[1:] + "\ue000"},
                {"suffix": right.suffix + "."},
                {"suffix": "\ue000" + right.suffix[1:]},
                {"start_offset": -1},
                {"end_offset": start},
                {"end_offset": len(text) + 1},
                {"start_offset": len(text) + 5, "end_offset": len(text) + 6},
                {"end_offset": 2**31},
            ]
        )
    )
    with pytest.raises(InvalidRequestError) as refused:
        create_highlight(
            session,
            viewer,
            fragment_id=fragment.id,
            request=right.model_copy(update=wrong),
        )
    assert refused.value.code == "E_HIGHLIGHT_INVALID_RANGE"
    kept = select(func.count()).where(Highlight.fragment_id == fragment.id)
    assert session.scalar(kept) == 0
    session.rollback()

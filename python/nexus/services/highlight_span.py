"""The drift gate: a span is accepted only with the exact text it covers and the text around it.

All offsets are code points, on both sides: Python's strings and Postgres' `substr` count alike.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from nexus.errors import InvalidRequestError

CONTEXT_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open span of canonical text, with what the client believes is there."""

    start_offset: int
    end_offset: int
    exact: str
    prefix: str
    suffix: str


def span_at(text: str, start: int, end: int) -> Span:
    """The span at this place, with the strings that belong to it."""
    before = text[max(0, start - CONTEXT_LENGTH) : start]
    return Span(start, end, text[start:end], before, text[end : end + CONTEXT_LENGTH])


def require_matching_span(session: Session, *, fragment_id: UUID, span: Span) -> None:
    """Raise E_HIGHLIGHT_INVALID_RANGE unless the span is in bounds and its strings are right."""
    start, length = window_of(span)
    query = select(func.substr(Fragment.canonical_text, start, length))
    require_text(span, session.scalars(query.where(Fragment.id == fragment_id)).one())


def window_of(span: Span) -> tuple[int, int]:
    """Arguments of `substr` for the text around the span; empty if it is out of bounds.

    Only that much leaves the database, however long the article is.
    """
    if not _in_bounds(span):
        return 0, 0
    before = _before(span)
    length = span.end_offset - span.start_offset
    return span.start_offset - before + 1, before + length + CONTEXT_LENGTH


def expected_window(span: Span) -> str | None:
    """The only window this span fits; None if no text can have such a span."""
    if not _in_bounds(span) or len(span.exact) != span.end_offset - span.start_offset:
        return None
    if len(span.prefix) != _before(span) or len(span.suffix) > CONTEXT_LENGTH:
        return None
    return span.prefix + span.exact + span.suffix


def require_text(span: Span, window: str) -> None:
    """Raise E_HIGHLIGHT_INVALID_RANGE unless this is the text the span's strings say is there."""
    if not _in_bounds(span):
        raise _invalid("the span must begin at 0 or later and end after it begins")
    before = _before(span)
    length = span.end_offset - span.start_offset
    exact = window[before : before + length]
    if len(exact) != length:
        raise _invalid("the span reaches past the end of the text")
    for name, given, actual in (
        ("exact", span.exact, exact),
        ("prefix", span.prefix, window[:before]),
        ("suffix", span.suffix, window[before + length :]),
    ):
        if given != actual:
            raise _invalid(
                f"{name} is no longer the text at this place. Reload the article and try again"
            )


_MAX_OFFSET = 2**31 - 1 - 2 * CONTEXT_LENGTH


def _in_bounds(span: Span) -> bool:
    return 0 <= span.start_offset < span.end_offset <= _MAX_OFFSET


def _before(span: Span) -> int:
    return min(CONTEXT_LENGTH, span.start_offset)


def _invalid(reason: str) -> InvalidRequestError:
    return InvalidRequestError(
        f"This passage cannot be highlighted: {reason}.", code="E_HIGHLIGHT_INVALID_RANGE"
    )

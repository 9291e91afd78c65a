"""The drift gate: a span is accepted only with the very text it covers and the text around it.

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


def require_matching_span(session: Session, *, fragment_id: UUID, span: Span) -> None:
    """Raise E_HIGHLIGHT_INVALID_RANGE unless the span is in bounds and its strings are right."""
    if not 0 <= span.start_offset < span.end_offset <= _MAX_OFFSET:
        raise _invalid("the span must begin at 0 or later and end after it begins")
    before = min(CONTEXT_LENGTH, span.start_offset)
    length = span.end_offset - span.start_offset
    # Only the text around the span leaves the database, however long the article is.
    window = session.scalars(
        select(
            func.substr(
                Fragment.canonical_text,
                span.start_offset - before + 1,
                before + length + CONTEXT_LENGTH,
            )
        ).where(Fragment.id == fragment_id)
    ).one()
    exact = window[before : before + length]
    if len(exact) != length:
        raise _invalid("the span reaches past the end of the text")
    for name, given, actual in (
        ("exact", span.exact, exact),
        ("prefix", span.prefix, window[:before]),
        ("suffix", span.suffix, window[before + length :]),
    ):
        if given != actual:
            raise _invalid(f"{name} is not the text at this place. Reload the article")


_MAX_OFFSET = 2**31 - 1 - 2 * CONTEXT_LENGTH


def _invalid(reason: str) -> InvalidRequestError:
    return InvalidRequestError(
        f"This passage cannot be highlighted: {reason}.", code="E_HIGHLIGHT_INVALID_RANGE"
    )

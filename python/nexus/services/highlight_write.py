"""Creating, changing and deleting highlights."""

from typing import Any, cast
from uuid import UUID

from sqlalchemy import (
    Integer,
    Select,
    Table,
    Text,
    bindparam,
    exists,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.direct import Direct
from nexus.db.integrity import raising_if_deleted
from nexus.db.models import DeletedHighlight, Fragment, Highlight, Media, MediaFile
from nexus.errors import ConflictError, InvalidRequestError, NotFoundError
from nexus.schemas.highlights import (
    CreateHighlightRequest,
    HighlightOut,
    UpdateHighlightRequest,
)
from nexus.services.capabilities import derive_capabilities
from nexus.services.highlight_pages import PAGED_MEDIA_ID, add_pages
from nexus.services.highlight_read import (
    FRAGMENT_ID,
    HIGHLIGHT_COLUMNS,
    VIEWER_ID,
    get_highlight,
    lock_own_highlight,
)
from nexus.services.highlight_span import (
    Span,
    expected_window,
    require_matching_span,
    require_text,
    window_of,
)
from nexus.services.highlight_undo import keep_for_undo
from nexus.services.search_marks import mark_words
from nexus.services.viewer import Viewer
from nexus.services.visibility import media_visible_to

_OFFSETS = frozenset({"start_offset", "end_offset"})
_STRINGS = frozenset({"exact", "prefix", "suffix"})

_HIGHLIGHTS = cast(Table, Highlight.__table__)
_GIVEN = (
    "id",
    "user_id",
    "fragment_id",
    "start_offset",
    "end_offset",
    "color",
    "words",
    *sorted(_STRINGS),
)

_ID = bindparam("id", type_=_HIGHLIGHTS.c.id.type)
_ID_IN_USE = or_(
    exists().where(Highlight.id == _ID), exists().where(DeletedHighlight.highlight_id == _ID)
)

# All that decides about a new highlight.
_TARGET: Select[*tuple[Any, ...]] = (
    select(
        Media.kind,
        Media.processing_status,
        Media.last_error_code,
        Media.external_playback_url,
        PAGED_MEDIA_ID.label("paged_media_id"),
        exists().where(MediaFile.media_id == Media.id).label("has_file"),
        func.substr(
            Fragment.canonical_text,
            bindparam("window_start", type_=Integer()),
            bindparam("window_length", type_=Integer()),
        ).label("window"),
        _ID_IN_USE.label("id_in_use"),
    )
    .join(Media, Media.id == Fragment.media_id)
    .where(Fragment.id == FRAGMENT_ID, media_visible_to(Fragment.media_id, VIEWER_ID))
)


def _making() -> Select[*tuple[Any, ...]]:
    """The target, and the highlight created on it, in one round trip.

    It is created if the text is as expected. Everything else is decided by looking at the target
    afterwards, in one place with every other rule: a refusal rolls it back with the transaction.
    """
    target = _TARGET.cte("target")
    given = [bindparam(name, type_=_HIGHLIGHTS.c[name].type) for name in _GIVEN]
    source = select(*given).where(target.c.window == bindparam("expected", type_=Text()))
    made = (
        insert(_HIGHLIGHTS)
        .from_select(_GIVEN, source, include_defaults=False)
        .on_conflict_do_nothing()
        .returning(*HIGHLIGHT_COLUMNS)
        .cte("made")
    )
    return select(target, made).select_from(target.outerjoin(made, true()))


_MAKING, _LOOKING = Direct(_making()), Direct(_TARGET)


def create_highlight(
    session: Session, viewer: Viewer, *, fragment_id: UUID, request: CreateHighlightRequest
) -> tuple[HighlightOut, bool]:
    """A new highlight on readable text, or the one that the same request created before.

    Returns the highlight and whether it is new. The same span twice is a conflict; so is an id
    that was used for anything else, no matter by whom and whether it was deleted since.
    """
    fields = request.model_dump()
    span = Span(**{name: fields[name] for name in _OFFSETS | _STRINGS})
    start, length = window_of(span)
    target: dict[str, Any] = {"viewer_id": viewer.user_id, "fragment_id": fragment_id}
    target |= {"window_start": start, "window_length": length, "id": request.id}
    expected = expected_window(span)
    if expected is None:
        # Nothing can be made of it; the target says which reason comes first.
        row = _LOOKING.first(session, target)
    else:
        words = mark_words(session, request.exact, fragment_id=fragment_id)
        made = {**fields, "user_id": viewer.user_id, "words": words, "expected": expected}
        with raising_if_deleted(NotFoundError()):
            row = _MAKING.first(session, target | made)
    if row is None:
        raise NotFoundError
    _require_markable(row, span)
    if row["id"] is None:
        return _created_before(session, viewer, fragment_id=fragment_id, request=request), False
    if row["id_in_use"]:
        # It was deleted before this statement, or while it waited for the deletion.
        raise _id_conflict()
    row["annotation"] = None
    add_pages(session, [row], {row["paged_media_id"]})
    return HighlightOut.model_validate(row), True


def update_highlight(
    session: Session, viewer: Viewer, *, highlight_id: UUID, request: UpdateHighlightRequest
) -> HighlightOut:
    """Change colour or span; identity and note stay."""
    highlight = lock_own_highlight(session, viewer, highlight_id=highlight_id)
    changes = request.model_dump(exclude_unset=True)
    moved = any(changes.get(name, value) != value for name, value in _offsets(highlight).items())
    if moved and not changes.keys() >= _STRINGS:
        raise InvalidRequestError(
            "A change of offsets needs exact, prefix and suffix of the new place."
        )
    if "exact" in changes:
        fragment_id = highlight.fragment_id
        changes["words"] = mark_words(session, changes["exact"], fragment_id=fragment_id)
    for name, value in changes.items():
        setattr(highlight, name, value)
    if changes.keys() & (_OFFSETS | _STRINGS):
        _flush_span(session, highlight)
    session.flush()
    return get_highlight(session, viewer, highlight_id=highlight_id)


def delete_highlight(session: Session, viewer: Viewer, *, highlight_id: UUID) -> None:
    """Delete a highlight and its note; for a moment the deletion can be undone."""
    highlight = lock_own_highlight(session, viewer, highlight_id=highlight_id)
    keep_for_undo(session, highlight)
    session.delete(highlight)
    session.flush()


def _created_before(
    session: Session, viewer: Viewer, *, fragment_id: UUID, request: CreateHighlightRequest
) -> HighlightOut:
    """What the same request created before; if there is none, why it cannot be created now."""
    if not session.scalar(select(_ID_IN_USE), {"id": request.id}):
        raise _same_span()
    try:
        there = get_highlight(session, viewer, highlight_id=request.id)
    except NotFoundError:
        raise _id_conflict() from None
    asked = {**request.model_dump(), "fragment_id": fragment_id}
    if any(getattr(there, name) != value for name, value in asked.items()):
        raise _id_conflict()
    return there


def _flush_span(session: Session, highlight: Highlight) -> None:
    span = Span(**{name: getattr(highlight, name) for name in _OFFSETS | _STRINGS})
    with session.no_autoflush:
        require_matching_span(session, fragment_id=highlight.fragment_id, span=span)
    try:
        session.flush()
    except IntegrityError:
        raise _same_span() from None


def _require_markable(target: dict[str, Any], span: Span) -> None:
    """Raise unless the viewer can highlight the text, and it is what the span says."""
    capabilities = derive_capabilities(
        kind=target["kind"],
        status=target["processing_status"],
        last_error_code=target["last_error_code"],
        has_file=target["has_file"],
        has_playback_url=target["external_playback_url"] is not None,
    )
    if not capabilities.can_highlight:
        raise ConflictError(
            "E_MEDIA_NOT_READY", "This item is not ready yet. Try again in a moment."
        )
    require_text(span, target["window"])


def _offsets(highlight: Highlight) -> dict[str, int]:
    return {"start_offset": highlight.start_offset, "end_offset": highlight.end_offset}


def _same_span() -> ConflictError:
    return ConflictError(
        "E_HIGHLIGHT_CONFLICT", "You have highlighted exactly this passage already."
    )


def _id_conflict() -> ConflictError:
    # The same words whatever holds the id: they say nothing about other people's highlights.
    return ConflictError(
        "E_HIGHLIGHT_ID_CONFLICT",
        "This highlight was changed or deleted in the meantime. Reload the article.",
    )

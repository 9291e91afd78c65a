"""Highlights and the notes on them."""

from datetime import date
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from nexus.api.deps import DEFAULT_PAGE, CursorParam, LimitParam, TagsParam, ViewerDep
from nexus.db.enums import HighlightColor
from nexus.export.passages import copied_highlights
from nexus.http.envelope import Envelope, no_content, success_response
from nexus.http.openapi import errors
from nexus.http.session import ReadingSessionDep, SessionDep, TransactionRoute
from nexus.schemas.highlights import (
    AnnotationOut,
    AnnotationRequest,
    CopiedHighlights,
    CopyFormat,
    CreateHighlightRequest,
    HighlightList,
    HighlightOfMediaList,
    HighlightOut,
    UpdateHighlightRequest,
)
from nexus.services import annotations, highlight_read, highlight_undo, highlight_write
from nexus.services.highlight_filters import HighlightFilter

router = APIRouter(tags=["highlights"], route_class=TransactionRoute)


def _filter(
    q: Annotated[str, Query(description="Words in the passage or the note, as in a search")] = "",
    tag: TagsParam = None,
    color: Annotated[
        tuple[HighlightColor, ...], Query(description="Any of these colors", max_length=5)
    ] = (),
    highlight_id: UUID | None = None,
    media_id: UUID | None = None,
    library_id: UUID | None = None,
    after: Annotated[date | None, Query(description="Made on this day (UTC) or later")] = None,
    before: Annotated[date | None, Query(description="Made before this day (UTC)")] = None,
) -> HighlightFilter:
    return HighlightFilter(
        text=q,
        tags=tuple(tag or ()),
        colors=color,
        highlight_id=highlight_id,
        media_id=media_id,
        library_id=library_id,
        after=after,
        before=before,
    )


FilterDep = Annotated[HighlightFilter, Depends(_filter)]


@router.post(
    "/fragments/{fragment_id}/highlights",
    status_code=201,
    response_model=Envelope[HighlightOut],
    responses={
        200: {"model": Envelope[HighlightOut], "description": "The same request created it before"},
        **errors(404, 409),
    },
)
def create_highlight(
    fragment_id: UUID, body: CreateHighlightRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    """Create a highlight: 201.

    With an `id` made by the client the call can be repeated: 200 and the highlight as it is now,
    if the very same call created it. An `id` that was used for anything else, or deleted since,
    is refused with `E_HIGHLIGHT_ID_CONFLICT`; a second highlight on the same span with
    `E_HIGHLIGHT_CONFLICT`.
    """
    result, created = highlight_write.create_highlight(
        session, viewer, fragment_id=fragment_id, request=body
    )
    return success_response(result, 201 if created else 200)


@router.get(
    "/fragments/{fragment_id}/highlights",
    response_model=Envelope[HighlightList],
    responses=errors(404),
)
def list_fragment_highlights(
    fragment_id: UUID, session: ReadingSessionDep, viewer: ViewerDep
) -> Response:
    result = highlight_read.list_fragment_highlights(session, viewer, fragment_id=fragment_id)
    return success_response(result)


@router.get(
    "/media/{media_id}/highlights", response_model=Envelope[HighlightList], responses=errors(404)
)
def list_media_highlights(
    media_id: UUID, session: ReadingSessionDep, viewer: ViewerDep
) -> Response:
    result = highlight_read.list_media_highlights(session, viewer, media_id=media_id)
    return success_response(result)


@router.get("/highlights", response_model=Envelope[HighlightOfMediaList], responses=errors(404))
def list_all_highlights(
    session: ReadingSessionDep,
    viewer: ViewerDep,
    wanted: FilterDep,
    cursor: CursorParam = None,
    limit: LimitParam = DEFAULT_PAGE,
) -> Response:
    """All of the viewer's highlights, the newest first, narrowed by what is given."""
    result = highlight_read.list_all_highlights(
        session, viewer, cursor=cursor, limit=limit, wanted=wanted
    )
    return success_response(result)


@router.get(
    "/highlights/markdown", response_model=Envelope[CopiedHighlights], responses=errors(404, 413)
)
def copy_highlights(
    session: ReadingSessionDep,
    viewer: ViewerDep,
    wanted: FilterDep,
    format: CopyFormat = CopyFormat.MARKDOWN,
) -> Response:
    """The same highlights as text, item by item in reading order, with their sources.

    Narrowed to a `media_id` all of one item, to a `highlight_id` one highlight.
    """
    return success_response(copied_highlights(session, viewer, wanted=wanted, format=format))


@router.get(
    "/highlights/{highlight_id}", response_model=Envelope[HighlightOut], responses=errors(404)
)
def get_highlight(highlight_id: UUID, session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    result = highlight_read.get_highlight(session, viewer, highlight_id=highlight_id)
    return success_response(result)


@router.patch(
    "/highlights/{highlight_id}",
    response_model=Envelope[HighlightOut],
    responses=errors(404, 409),
)
def update_highlight(
    highlight_id: UUID, body: UpdateHighlightRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    result = highlight_write.update_highlight(
        session, viewer, highlight_id=highlight_id, request=body
    )
    return success_response(result)


@router.delete("/highlights/{highlight_id}", status_code=204, responses=errors(404))
def delete_highlight(highlight_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    highlight_write.delete_highlight(session, viewer, highlight_id=highlight_id)
    return no_content()


@router.post(
    "/highlights/{highlight_id}/restore",
    response_model=Envelope[HighlightOut],
    responses=errors(404, 409),
)
def restore_highlight(highlight_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    """Undo a deletion made moments ago."""
    result = highlight_undo.restore_highlight(session, viewer, highlight_id=highlight_id)
    return success_response(result)


@router.put(
    "/highlights/{highlight_id}/annotation",
    response_model=Envelope[AnnotationOut],
    responses={
        201: {"model": Envelope[AnnotationOut], "description": "The note is new"},
        **errors(404),
    },
)
def put_annotation(
    highlight_id: UUID, body: AnnotationRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    result, created = annotations.put_annotation(
        session, viewer, highlight_id=highlight_id, body=body.body
    )
    return success_response(result, 201 if created else 200)


@router.delete("/highlights/{highlight_id}/annotation", status_code=204, responses=errors(404))
def delete_annotation(highlight_id: UUID, session: SessionDep, viewer: ViewerDep) -> Response:
    annotations.delete_annotation(session, viewer, highlight_id=highlight_id)
    return no_content()

"""A person's tags, all in one place."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from nexus.api.deps import ViewerDep
from nexus.http.envelope import Envelope, no_content, success_response
from nexus.http.openapi import errors
from nexus.http.session import ReadingSessionDep, SessionDep
from nexus.schemas.shelf import TagList, TagName, TagNameRequest, TagOut
from nexus.services import tags

router = APIRouter(prefix="/tags", tags=["tags"])

# A name may have a slash in it.
_BY_NAME = "/{name:path}"
NameParam = Annotated[TagName, Path(description="In any spelling that differs only in case")]


@router.get("", response_model=Envelope[TagList])
def list_tags(session: ReadingSessionDep, viewer: ViewerDep) -> Response:
    return success_response(tags.list_tags(session, viewer))


@router.patch(_BY_NAME, response_model=Envelope[TagOut], responses=errors(404))
def rename_tag(
    name: NameParam, body: TagNameRequest, session: SessionDep, viewer: ViewerDep
) -> Response:
    """Give a tag another name. If another tag has it already, the two become one."""
    return success_response(tags.rename_tag(session, viewer, name=name, new_name=body.name))


@router.delete(_BY_NAME, status_code=204, responses=errors(404))
def delete_tag(name: NameParam, session: SessionDep, viewer: ViewerDep) -> Response:
    """Take a tag off all items and forget it."""
    tags.delete_tag(session, viewer, name=name)
    return no_content()

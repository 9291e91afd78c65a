"""What routes depend on: the viewer, the storage, the parameters of a page."""

from typing import Annotated

import anyio.to_thread
from fastapi import Depends, Query, Request
from fastapi.security import HTTPBearer

from nexus.auth.tokens import Authenticator, Identity
from nexus.errors import UnauthenticatedError
from nexus.http.session import request_transaction
from nexus.schemas.shelf import MAX_TAGS_IN_FILTER, TagName
from nexus.services.pagination import DEFAULT_LIMIT, MAX_LIMIT
from nexus.services.users import viewer_for
from nexus.services.viewer import KnownViewers, Viewer
from nexus.storage import StorageClient, get_storage_client


class _IdentityOf(HTTPBearer):
    """The identity behind the bearer token, without a database query.

    Not a dependency on the token: every level of dependencies takes its time.
    """

    def __init__(self) -> None:
        description = "A token of a configured issuer"
        super().__init__(scheme_name="HTTPBearer", auto_error=False, description=description)

    async def __call__(self, request: Request) -> Identity:  # type: ignore[override]
        credentials = await super().__call__(request)
        if credentials is None:
            raise UnauthenticatedError
        authenticator: Authenticator = request.app.state.authenticator
        token = credentials.credentials
        if authenticator.may_fetch_keys:
            return await anyio.to_thread.run_sync(authenticator.authenticate, token)
        # Faster than handing it to a thread.
        return authenticator.authenticate(token)


IdentityDep = Annotated[Identity, Depends(_IdentityOf())]


class _ViewerOf(_IdentityOf):
    """The person behind the bearer token, created on their first request."""

    async def __call__(self, request: Request) -> Viewer:  # type: ignore[override]
        identity = await super().__call__(request)
        known: KnownViewers = request.app.state.known_viewers
        library_id = known.default_library_id(identity.user_id)
        if library_id is not None:
            return Viewer(identity.user_id, identity.email, library_id)
        async with request_transaction(request) as session:
            return await anyio.to_thread.run_sync(viewer_for, session, identity, known)


ViewerDep = Annotated[Viewer, Depends(_ViewerOf())]


def get_storage(request: Request) -> StorageClient:
    return get_storage_client(request.app.state.settings)


StorageDep = Annotated[StorageClient, Depends(get_storage)]

CursorParam = Annotated[
    str | None, Query(max_length=2048, description="`next_cursor` of the previous page")
]
LimitParam = Annotated[int, Query(ge=1, le=MAX_LIMIT)]
TagsParam = Annotated[
    list[TagName] | None,
    Query(max_length=MAX_TAGS_IN_FILTER, description="Only items that have all of these tags"),
]
DEFAULT_PAGE = DEFAULT_LIMIT

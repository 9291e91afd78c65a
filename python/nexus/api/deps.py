"""What routes depend on: the viewer, the storage, the parameters of a page."""

from typing import Annotated

import anyio.to_thread
from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from nexus.auth.tokens import Authenticator, Identity
from nexus.errors import UnauthenticatedError
from nexus.http.session import request_transaction
from nexus.schemas.shelf import MAX_TAGS_IN_FILTER, TagName
from nexus.services.pagination import DEFAULT_LIMIT, MAX_LIMIT
from nexus.services.users import viewer_for
from nexus.services.viewer import KnownViewers, Viewer
from nexus.storage import StorageClient, get_storage_client

_bearer = HTTPBearer(auto_error=False, description="A token of a configured issuer")
_CredentialsDep = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


async def get_identity(request: Request, credentials: _CredentialsDep) -> Identity:
    """The identity behind the bearer token, without a database query."""
    if credentials is None:
        raise UnauthenticatedError
    authenticator: Authenticator = request.app.state.authenticator
    token = credentials.credentials
    if authenticator.may_fetch_keys:
        return await anyio.to_thread.run_sync(authenticator.authenticate, token)
    # Faster than handing it to a thread.
    return authenticator.authenticate(token)


IdentityDep = Annotated[Identity, Depends(get_identity)]


async def get_viewer(request: Request, credentials: _CredentialsDep) -> Viewer:
    """The person behind the bearer token, created on their first request."""
    # Called, not depended on: every level of dependencies takes its time.
    identity = await get_identity(request, credentials)
    known: KnownViewers = request.app.state.known_viewers
    library_id = known.default_library_id(identity.user_id)
    if library_id is not None:
        return Viewer(identity.user_id, identity.email, library_id)
    async with request_transaction(request) as session:
        return await anyio.to_thread.run_sync(viewer_for, session, identity, known)


ViewerDep = Annotated[Viewer, Depends(get_viewer)]


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

"""Who may see and do what: owner, member, stranger, anonymous × every route there is.

The routes come from the OpenAPI document, so a new one is covered the day it appears. What a
route needs (ids in its path, required query values, a body) comes from the three tables below; a
route that needs something they do not know fails with a message that says what to add.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import HighlightColor, ImportState, MembershipRole, UnplacedState
from nexus.db.models import (
    Annotation,
    Highlight,
    Import,
    ItemTag,
    MediaFile,
    MediaPicture,
    Tag,
    UnplacedHighlight,
)
from nexus.services.viewer import Viewer
from nexus.storage.paths import object_path, picture_path
from tests.api.openapi_routes import Route, all_routes
from tests.api.uploads import PDF
from tests.epub_files import png
from tests.factories import make_article, make_library, make_user
from tests.live import LiveNexus
from tests.media_states import store_bytes

pytestmark = pytest.mark.must

PICTURE = f"{'a1' * 32}.png"


@dataclass(frozen=True)
class World:
    """A library that `owner` shares with `member`: an article with its file, tag, highlight and
    note."""

    owner: Viewer
    member: Viewer
    stranger: Viewer
    library_id: UUID
    media_id: UUID
    fragment_id: UUID
    highlight_id: UUID
    import_id: UUID
    """Of the owner, and stopped."""
    unplaced_id: UUID


def make_world(session: Session) -> World:
    owner, member, stranger = (make_user(session) for _ in range(3))
    library = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    fragment = make_article(session, owner, library_ids=[owner.default_library_id, library.id])
    highlight = Highlight(
        user_id=owner.user_id,
        fragment_id=fragment.id,
        start_offset=0,
        end_offset=4,
        color=HighlightColor.YELLOW,
        exact="Some",
        prefix="",
        suffix=" text.",
    )
    session.add(highlight)
    session.flush()
    path = object_path(fragment.media_id, "pdf", prefix=get_settings().storage_prefix)
    picture = picture_path(fragment.media_id, PICTURE, prefix=get_settings().storage_prefix)
    store_bytes(path, PDF)
    store_bytes(picture, png())
    session.add_all(
        [
            Annotation(highlight_id=highlight.id, user_id=owner.user_id, body="Note"),
            MediaFile(
                media_id=fragment.media_id,
                storage_path=path,
                content_type="application/pdf",
                size_bytes=len(PDF),
            ),
            MediaPicture(
                media_id=fragment.media_id,
                name=PICTURE,
                storage_path=picture,
                size_bytes=len(png()),
            ),
        ]
    )
    tag = Tag(user_id=owner.user_id, name=PICTURE, key=PICTURE)
    unplaced = UnplacedHighlight(
        user_id=owner.user_id,
        media_id=fragment.media_id,
        key="k",
        quote="From elsewhere",
        prefix="",
        suffix="",
        state=UnplacedState.NOT_FOUND,
    )
    session.add_all([tag, unplaced])
    session.flush()
    session.add(ItemTag(user_id=owner.user_id, media_id=fragment.media_id, tag_id=tag.id))
    stopped = Import(
        user_id=owner.user_id,
        name="a.html",
        format="netscape",
        format_label="Bookmarks",
        state=ImportState.STOPPED,
        samples=[],
        skipped_reasons={},
    )
    session.add(stopped)
    session.commit()
    ids = (library.id, fragment.media_id, fragment.id, highlight.id, stopped.id, unplaced.id)
    return World(owner, member, stranger, *ids)


PATH_VALUES: dict[str, Callable[[World], UUID | str]] = {
    "library_id": lambda world: world.library_id,
    "media_id": lambda world: world.media_id,
    "fragment_id": lambda world: world.fragment_id,
    "highlight_id": lambda world: world.highlight_id,
    "import_id": lambda world: world.import_id,
    "unplaced_id": lambda world: world.unplaced_id,
    # Of a picture, or of a tag.
    "name": lambda world: PICTURE,
}
# Nothing listens there: someone who may ask is told that nothing was fetched.
QUERY_VALUES: dict[str, str] = {
    "url": "http://127.0.0.1:1/picture.png",
    "q": "some",
    "name": "a.html",
}
PAGE = {"url": "https://example.org/page"}
FILE = {"filename": "a.pdf", "content_type": "application/pdf", "size_bytes": 1000}
BOOKMARKS = b'<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="https://example.org/b">B</A>'
SPAN = {
    "start_offset": 5,
    "end_offset": 9,
    "color": "green",
    "exact": "text",
    "prefix": "Some ",
    "suffix": ".",
}
# Minimal valid bodies, by the name of the schema.
BODIES: dict[str, Callable[[World], dict[str, Any]]] = {
    "LibraryNameRequest": lambda world: {"name": "Renamed"},
    "AddMediaRequest": lambda world: {"media_id": str(world.media_id)},
    "FromUrlRequest": lambda world: PAGE,
    "MediaFromUrlRequest": lambda world: {"kind": "web_article", **PAGE},
    "MediaFromUrlRequest|UploadInitRequest": lambda world: {"kind": "pdf", **FILE},
    "UploadInitRequest": lambda world: {"kind": "pdf", **FILE},
    "UploadRequest": lambda world: FILE,
    "CreateHighlightRequest": lambda world: SPAN,
    "PlaceHighlightRequest": lambda world: {"fragment_id": str(world.fragment_id), **SPAN},
    "UpdateHighlightRequest": lambda world: {"color": "blue"},
    "PreferencesRequest": lambda world: {
        "theme": "sepia",
        "font": "sans",
        "width": "wide",
        "size": 22,
        "changed_at": "2026-01-01T00:00:00Z",
    },
    "PositionRequest": lambda world: {
        "fragment_id": str(world.fragment_id),
        "offset": 4,
        "changed_at": "2026-01-01T00:00:00Z",
    },
    "ExportRequest": lambda world: {"format": "readwise", "media_ids": [str(world.media_id)]},
    "AnnotationRequest": lambda world: {"body": "A note."},
    "MineRequest": lambda world: {"archived": True},
    "MediaIdsRequest": lambda world: {"media_ids": [str(world.media_id)]},
    "BulkMineRequest": lambda world: {"media_ids": [str(world.media_id)], "archived": True},
    "StartImportRequest": lambda world: {"library_id": str(world.library_id)},
    "TagNameRequest": lambda world: {"name": "Renamed"},
}

PUBLIC = {"GET /healthz", "GET /readyz"}
# Ids of things only their owner sees, no matter who else can read the item they hang on.
PRIVATE_PARAMETERS = {"highlight_id", "import_id", "unplaced_id"}
# Routes about what is one's own: an undo, a tag. To everyone else there is no such thing.
OWN = {
    "POST /media/{media_id}/restore",
    "POST /media/bulk/restore",
    "PATCH /tags/{name}",
    "DELETE /tags/{name}",
}
IDS_IN_BODY = {
    "PATCH /media/bulk/mine",
    "POST /media/bulk/remove",
    "POST /media/bulk/restore",
    "POST /exports",
}
# Mutations that being a plain member of a library is enough for.
MEMBERS_MAY = {
    "POST /exports",
    "POST /fragments/{fragment_id}/highlights",
    "PUT /media/{media_id}/position",
    "PATCH /media/{media_id}/mine",
    "PATCH /media/bulk/mine",
    "POST /media/{media_id}/opened",
}
# What the owner must have done before, for the route to have anything to do.
DONE_BEFORE = {
    "POST /media/{media_id}/restore": ("DELETE", "/media/{media_id}"),
    "POST /media/bulk/restore": ("DELETE", "/media/{media_id}"),
    "POST /imports/{import_id}/stop": ("POST", "/imports/{import_id}/start"),
    "POST /highlights/{highlight_id}/restore": ("DELETE", "/highlights/{highlight_id}"),
    "POST /unplaced/{unplaced_id}/restore": ("DELETE", "/unplaced/{unplaced_id}"),
}
# Allowed, and answered by something outside that is not there.
OUTSIDE = {"GET /media/image": 502}

ROUTES = all_routes()
WITH_ID = [route for route in ROUTES if route.path_parameters or str(route) in IDS_IN_BODY]
GUARDED = [route for route in ROUTES if str(route) not in PUBLIC]


def known(value: str | None, table: dict[str, Any], name: str, route: Route) -> Any:
    if value not in table:
        pytest.fail(f"{route}: add {value!r} to {name} in {__file__}", pytrace=False)
    return table[value]


def ask(api: httpx.Client, route: Route, world: World, *, made_up: bool = False) -> httpx.Response:
    """The route's minimal valid request; `made_up` replaces every id in it by a new one."""
    ids = {
        name: uuid4() if made_up else known(name, PATH_VALUES, "PATH_VALUES", route)(world)
        for name in route.path_parameters
    }
    query = {
        name: known(name, QUERY_VALUES, "QUERY_VALUES", route) for name in route.required_query
    }
    body = None
    if route.body_schema is not None:
        body = known(route.body_schema, BODIES, "BODIES", route)(world)
        if made_up and str(route) in IDS_IN_BODY:
            body["media_ids"] = [str(uuid4())]
    url = route.path.format_map({name: str(value) for name, value in ids.items()})
    content = BOOKMARKS if str(route) == "POST /imports" else None
    request = api.build_request(route.method, url, params=query, json=body, content=content)
    answer = api.send(request, stream=True)
    # An event stream never ends; its status is what counts here.
    if not answer.headers.get("content-type", "").startswith("text/event-stream"):
        answer.read()
    answer.close()
    return answer


def comparable(answer: httpx.Response) -> tuple[int, dict[str, str], dict[str, str]]:
    """All of an error answer but what differs for every request."""
    headers = {
        name: value
        for name, value in answer.headers.items()
        if name not in {"x-request-id", "date"}
    }
    error = {name: value for name, value in answer.json()["error"].items() if name != "request_id"}
    return answer.status_code, headers, error


def world_for(nexus: LiveNexus, session: Session, route: Route) -> World:
    world = make_world(session)
    if str(route) in DONE_BEFORE:
        method, path = DONE_BEFORE[str(route)]
        with nexus.api(world.owner.user_id) as api:
            assert api.request(method, path.format_map(vars(world))).is_success
    return world


def assert_allowed(answer: httpx.Response, route: Route) -> None:
    if answer.status_code == OUTSIDE.get(str(route)):
        return
    assert answer.status_code < 500, route
    assert answer.status_code not in {400, 401, 403, 404}, (route, answer.text)


def test_the_document_lists_routes() -> None:
    assert len(ROUTES) >= 10
    assert {str(route) for route in ROUTES} >= PUBLIC
    assert len(WITH_ID) >= 6


@pytest.mark.parametrize("route", GUARDED, ids=str)
def test_anonymous(nexus: LiveNexus, session: Session, route: Route) -> None:
    world = world_for(nexus, session, route)
    with nexus.api() as api:
        answer = ask(api, route, world)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "E_UNAUTHENTICATED"
        if route in WITH_ID:
            assert comparable(ask(api, route, world, made_up=True)) == comparable(answer)


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_owner(nexus: LiveNexus, session: Session, route: Route) -> None:
    world = world_for(nexus, session, route)
    with nexus.api(world.owner.user_id) as api:
        assert_allowed(ask(api, route, world), route)


@pytest.mark.parametrize("route", WITH_ID, ids=str)
def test_owner_with_a_made_up_id(nexus: LiveNexus, session: Session, route: Route) -> None:
    world = world_for(nexus, session, route)
    with nexus.api(world.owner.user_id) as api:
        assert ask(api, route, world, made_up=True).status_code == 404


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_stranger(nexus: LiveNexus, session: Session, route: Route) -> None:
    """What is not yours does not exist, to the last byte."""
    world = world_for(nexus, session, route)
    with nexus.api(world.stranger.user_id) as api:
        answer = ask(api, route, world)
        if route not in WITH_ID:
            assert_allowed(answer, route)
            return
        assert answer.status_code == 404
        assert comparable(answer) == comparable(ask(api, route, world, made_up=True))
    with nexus.api(world.owner.user_id) as api:
        assert_allowed(ask(api, route, world), route)


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_member(nexus: LiveNexus, session: Session, route: Route) -> None:
    world = world_for(nexus, session, route)
    with nexus.api(world.member.user_id) as api:
        answer = ask(api, route, world)
        private = PRIVATE_PARAMETERS.intersection(route.path_parameters)
        if private or str(route) in OWN:
            assert comparable(answer) == comparable(ask(api, route, world, made_up=True))
            assert answer.status_code == 404
        elif route.mutates and route in WITH_ID and str(route) not in MEMBERS_MAY:
            assert answer.status_code == 403, f"{route}: is this one for MEMBERS_MAY?"
            assert answer.json()["error"]["code"] == "E_FORBIDDEN"
        else:
            assert_allowed(answer, route)

"""Bad input at the API: a clear 400 in the envelope, never a 500, and nothing changed."""

from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from tests.api.openapi_routes import Route, all_routes
from tests.api.test_visibility import BODIES, PATH_VALUES, World, known, make_world
from tests.bad_bodies import (
    BAD_TEXT,
    JSON,
    UNREADABLE,
    encode,
    nothing_changes,
    refusal_problem,
)
from tests.live import LiveNexus

# Readable but senseless values are judged by a service, which looks at the item's state first.
STATE_COMES_FIRST = {"POST /media/{media_id}/upload": 409}
MAY_BE_NULL = {("POST /exports", "media_ids"), ("POST /imports/{import_id}/start", "library_id")}
WITH_BODY = [route for route in all_routes() if route.body_schema is not None]


def url_of(route: Route, world: World) -> str:
    ids = {
        name: str(known(name, PATH_VALUES, "PATH_VALUES", route)(world))
        for name in route.path_parameters
    }
    return route.path.format_map(ids)


@pytest.mark.parametrize("route", WITH_BODY, ids=str)
def test_unreadable_bodies(nexus: LiveNexus, session: Session, route: Route) -> None:
    world = make_world(session)
    url = url_of(route, world)
    problems = {}
    with nexus.api(world.owner.user_id) as api, nothing_changes(session):
        for name, (body, headers) in UNREADABLE.items():
            if name == "no fields" and not route.required_fields:
                continue
            if name in {"empty", "null"} and not route.body_required:
                continue
            answer = api.request(route.method, url, content=body, headers=headers)
            if problem := refusal_problem(answer):
                problems[name] = problem
    assert problems == {}


@pytest.mark.parametrize("route", WITH_BODY, ids=str)
def test_one_field_wrong(nexus: LiveNexus, session: Session, route: Route) -> None:
    """Every field of the minimal valid body in turn: missing, and of every wrong type."""
    world = make_world(session)
    url = url_of(route, world)
    good = known(route.body_schema, BODIES, "BODIES", route)(world)
    bad: dict[str, dict[str, Any]] = {"unknown field": {**good, "extra": 1}}
    for field, value in good.items():
        if field in route.required_fields:
            bad[f"no {field}"] = {key: good[key] for key in good if key != field}
        wrong: dict[str, object] = {"object": {}, "list": [], "null": None, "boolean": True}
        if isinstance(value, str):
            wrong = BAD_TEXT
        if isinstance(value, bool):
            wrong["boolean"] = "true"
        if (str(route), field) in MAY_BE_NULL:
            wrong = {name: wrong[name] for name in wrong if name != "null"}
        bad |= {f"{field} {name}": {**good, field: wrong[name]} for name in wrong}
    problems = {}
    with nexus.api(world.owner.user_id) as api, nothing_changes(session):
        for name, body in bad.items():
            answer = api.request(route.method, url, content=encode(body), headers=JSON)
            if answer.status_code == STATE_COMES_FIRST.get(str(route)):
                continue
            if problem := refusal_problem(answer):
                problems[name] = problem
    assert problems == {}


@pytest.mark.parametrize("name", ["x" * 101, "🦊" * 101, "x" * 500_000, "e\u0301" * 101])
def test_library_name_too_long(nexus: LiveNexus, session: Session, name: str) -> None:
    with nexus.api(uuid4()) as api:
        api.get("/me")
        with nothing_changes(session):
            answer = api.post("/libraries", json={"name": name})
    assert refusal_problem(answer) is None
    assert answer.json()["error"]["message"] == "name: a library name has 1 to 100 characters"


def test_duplicate_key_means_the_last_one(nexus: LiveNexus) -> None:
    """As every JSON parser around us reads it, so that nobody sees two different requests."""
    with nexus.api(uuid4()) as api:
        body = b'{"name": "first", "name": "second"}'
        answer = api.post("/libraries", content=body, headers=JSON)
    assert answer.json()["data"]["name"] == "second"


BAD_IDS = ["x", "0", "null", "%00", "%ff", "..%2f..", "' OR 1=1--", "00000000-0000-0000-0000", "é"]
GET_BY_ID = [
    route
    for route in all_routes()
    if len(route.path_parameters) == 1 and route.path_parameters[0].endswith("_id")
]


@pytest.mark.parametrize("route", GET_BY_ID, ids=str)
def test_ids_that_are_none(nexus: LiveNexus, session: Session, route: Route) -> None:
    problems = {}
    with nexus.api(uuid4()) as api:
        api.get("/me")
        with nothing_changes(session):
            for bad in BAD_IDS:
                url = route.path.replace("{" + route.path_parameters[0] + "}", bad)
                answer = api.request(route.method, url)
                # An encoded slash makes it another address, which is not there.
                if answer.status_code == 404 and "%2f" in bad:
                    continue
                if problem := refusal_problem(answer):
                    problems[bad] = problem
    assert problems == {}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/", 404, "E_NOT_FOUND"),
        ("GET", "/nothing/here", 404, "E_NOT_FOUND"),
        ("GET", "/libraries/", 404, "E_NOT_FOUND"),
        ("GET", "//libraries", 404, "E_NOT_FOUND"),
        ("GET", "/docs", 404, "E_NOT_FOUND"),
        ("GET", "/redoc", 404, "E_NOT_FOUND"),
        ("PUT", "/libraries", 405, "E_METHOD_NOT_ALLOWED"),
        ("DELETE", "/me", 405, "E_METHOD_NOT_ALLOWED"),
        ("TRACE", "/me", 405, "E_METHOD_NOT_ALLOWED"),
        ("OPTIONS", "/libraries", 405, "E_METHOD_NOT_ALLOWED"),
        ("POST", "/healthz", 405, "E_METHOD_NOT_ALLOWED"),
    ],
)
def test_no_such_route(nexus: LiveNexus, method: str, path: str, status: int, code: str) -> None:
    with nexus.api(uuid4()) as api:
        answer = api.send(api.build_request(method, "/", extensions={"target": path.encode()}))
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["request_id"] == answer.headers["x-request-id"]
    assert ("allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize("chunked", [False, True], ids=["announced", "chunked"])
def test_body_too_large(nexus: LiveNexus, session: Session, chunked: bool) -> None:
    size = 1024 * 1024 + 1
    body = b'{"name": "' + b"x" * size + b'"}'
    pieces = (body[start : start + 65_536] for start in range(0, len(body), 65_536))
    with nexus.api(uuid4()) as api:
        api.get("/me")
        with nothing_changes(session):
            answer = api.post("/libraries", content=pieces if chunked else body, headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "E_REQUEST_TOO_LARGE"

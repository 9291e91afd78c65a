"""Where and when the transaction of a request ends."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from sqlalchemy import text

import nexus.http.session
from nexus.db.after_commit import after_commit
from nexus.db.session import get_request_session_factory
from nexus.http.session import SessionDep, TransactionRoute
from tests.coroutines import run


@pytest.fixture
def noted() -> dict[str, Any]:
    return {}


@pytest.fixture
def app(noted: dict[str, Any]) -> FastAPI:
    app = FastAPI()
    app.state.session_factory = get_request_session_factory()
    router = APIRouter(route_class=TransactionRoute)

    def note(session: SessionDep, fails: bool = False) -> str:
        noted["route"] = True
        session.execute(text("SELECT 1"))
        after_commit(session, lambda: noted.update(ended=True))
        if fails:
            raise ValueError
        return "done"

    router.get("/here")(note)
    app.include_router(router)
    app.get("/elsewhere")(note)
    return app


async def ask(app: FastAPI, target: str) -> int:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://api") as client:
        return (await client.get(target)).status_code


@pytest.mark.parametrize(("route", "hand_overs"), [("/here", 0), ("/elsewhere", 1)])
def test_a_route_that_commits_itself_needs_no_other_thread(
    app: FastAPI,
    noted: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    route: str,
    hand_overs: int,
) -> None:
    handed: list[object] = []
    real = nexus.http.session.in_ending_thread

    async def counted(action: Callable[[], None]) -> None:
        handed.append(action)
        await real(action)

    monkeypatch.setattr(nexus.http.session, "in_ending_thread", counted)
    assert run(ask(app, route)) == 200
    assert noted == {"route": True, "ended": True}
    assert len(handed) == hand_overs


@pytest.mark.parametrize("route", ["/here", "/elsewhere"])
def test_what_fails_is_not_committed(app: FastAPI, noted: dict[str, Any], route: str) -> None:
    assert run(ask(app, f"{route}?fails=true")) == 500
    assert "route" in noted
    assert "ended" not in noted

"""The real API and BFF behind real sockets, and clients that speak to them."""

import contextlib
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import uvicorn
from bench.ports import free_port
from sqlalchemy import text
from sqlalchemy.orm import Session
from starlette.types import ASGIApp

from nexus.api.app import create_app as create_api
from nexus.auth.tokens import mint_local_token
from nexus.bff.app import create_app as create_bff
from nexus.config import Settings, get_settings
from nexus.http.guarded import GuardedH11, GuardedHttpTools
from nexus.waiting import wait_until
from tests.patience import PATIENCE_SECONDS

PASSWORD = "a-fine-long-passphrase"
# No test server speaks TLS, and reading the certificates takes longer than most tests.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(frozen=True)
class LiveNexus:
    settings: Settings
    api_socket: Path
    origin: str

    def api(self, user_id: UUID | None = None, *, email: str | None = None) -> httpx.Client:
        """A client of the API that knows the internal secret, signed in as `user_id` if given."""
        headers = {"X-Nexus-Internal": _reveal(self.settings.internal_secret)}
        if user_id is not None:
            secret = _reveal(self.settings.jwt_secret)
            token = mint_local_token(secret, user_id=user_id, email=email)
            headers["Authorization"] = f"Bearer {token}"
        transport = httpx.HTTPTransport(uds=str(self.api_socket), verify=NO_CERTIFICATES)
        return httpx.Client(
            transport=transport, base_url="http://api", headers=headers, timeout=PATIENCE_SECONDS
        )

    def browser(self) -> httpx.Client:
        """A client of the BFF that keeps cookies and sends the Origin a browser would."""
        return httpx.Client(
            base_url=self.origin,
            headers={"Origin": self.origin},
            timeout=PATIENCE_SECONDS,
            verify=NO_CERTIFICATES,
        )

    def signed_up(self, email: str | None = None) -> httpx.Client:
        """A browser with a fresh account."""
        body = {"email": email or f"{uuid4().hex}@example.org", "password": PASSWORD}
        with self.browser() as first:
            answer = first.post("/auth/signup", json=body)
        assert answer.status_code == 201, answer.text
        # Another client with the same cookies: one that was used cannot be entered any more.
        browser = self.browser()
        browser.cookies.update(first.cookies)
        return browser


@contextlib.contextmanager
def live_nexus(*, front: type[Any] = GuardedH11, **changes: Any) -> Iterator[LiveNexus]:
    """Serve API and BFF until the block ends. `changes` are settings other than the usual ones."""
    port = free_port()
    settings = get_settings().model_copy(update={"port": port, **changes})
    api_socket = settings.data_dir / f"api-{port}.sock"
    settings = settings.model_copy(update={"api_url": f"unix:{api_socket}"})
    with (
        serving(create_api(settings), uds=str(api_socket), http=GuardedHttpTools),
        serving(create_bff(settings), host=settings.host, port=port, http=front),
    ):
        yield LiveNexus(settings, api_socket, settings.origin)


@contextlib.contextmanager
def serving(app: ASGIApp, **where: Any) -> Iterator[None]:
    """One uvicorn server in a thread."""
    # No proxy stands before these servers, so nobody's X-Forwarded-For is believed.
    config = uvicorn.Config(app, log_config=None, access_log=False, proxy_headers=False, **where)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_for(lambda: server.started or not thread.is_alive(), every=0.01)
    assert server.started, "the server did not start"
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)


def wait_for(
    condition: Callable[[], object],
    *,
    what: str = "what the test waits for",
    every: float = 0.05,
) -> None:
    """Return when the condition holds; fail, saying what was awaited, when it never does."""
    held = wait_until(condition, within=PATIENCE_SECONDS, every=every)
    assert held, f"not within {PATIENCE_SECONDS:g} s: {what}"


def _reveal(secret: Any) -> str:
    value: str = secret.get_secret_value()
    return value


def somebody_waits(session: Session) -> bool:
    """Whether a transaction waits for another one's lock."""
    session.rollback()
    query = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
    """
    return bool(session.scalar(text(query)))

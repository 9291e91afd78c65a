"""The API of the running Nexus, called on behalf of one account.

So the settings of the running Nexus apply, whatever those of the calling shell are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import httpx

from nexus.auth.tokens import mint_local_token
from nexus.cli.operator import account_viewer, fail, operator_session, use_running_nexus
from nexus.config import Settings
from nexus.http.internal import INTERNAL_HEADER
from nexus.services.viewer import Viewer

_TIMEOUT = httpx.Timeout(60, connect=5)
_FILE_TIMEOUT = httpx.Timeout(300, connect=5)


class NexusApi:
    """Calls the API for one account; an error is one line and exit code 1."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def get(self, path: str) -> Any:
        """The data at this path."""
        return self._call("GET", path)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The data of the response."""
        return self._call("POST", path, json=body)

    def delete(self, path: str) -> None:
        """Forget what is at this path."""
        self._call("DELETE", path)

    def send_file(self, path: str, content: BinaryIO, *, name: str) -> Any:
        """Send a file as it is read; it may take a while to be understood."""
        return self._call(
            "POST", path, params={"name": name}, content=content, timeout=_FILE_TIMEOUT
        )

    def _call(self, method: str, path: str, **options: Any) -> Any:
        try:
            response = self._client.request(method, path, **options)
            if response.status_code == 204:
                return None
            envelope = response.json()
            return envelope["data"] if response.is_success else fail(envelope["error"]["message"])
        except httpx.TransportError:
            fail("Nexus is not responding: it may be starting. Check with `nexus doctor`.")
        except (ValueError, KeyError, TypeError):
            fail(f"Nexus sent an unexpected response (status {response.status_code}).")


@contextmanager
def api_for(user: str | None) -> Iterator[NexusApi]:
    """The API for the account named, or for the only one there is."""
    settings = use_running_nexus()
    if settings.api_url is None:
        fail("Nexus is not running here. Start it with `make up`, or set NEXUS_API_URL.")
    with operator_session() as session:
        viewer = account_viewer(session, user)
    with _client(settings, settings.api_url, viewer) as client:
        yield NexusApi(client)


def _client(settings: Settings, url: str, viewer: Viewer) -> httpx.Client:
    assert settings.jwt_secret is not None
    assert settings.internal_secret is not None
    token = mint_local_token(
        settings.jwt_secret.get_secret_value(), user_id=viewer.user_id, email=viewer.email
    )
    headers = {
        "Authorization": f"Bearer {token}",
        INTERNAL_HEADER: settings.internal_secret.get_secret_value(),
    }
    socket = url.removeprefix("unix:")
    return httpx.Client(
        base_url=url if socket == url else "http://api",
        transport=None if socket == url else httpx.HTTPTransport(uds=socket),
        headers=headers,
        timeout=_TIMEOUT,
        trust_env=False,
    )

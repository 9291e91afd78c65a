"""Connections from the BFF to the API: what is slow by nature gets a pool of its own.

Event streams last as long as a page is open, images as long as some web site takes, and files as
long as they take to arrive. None can use up the connections of the others or of everything else,
and no account those of all others.
"""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import httpx

from nexus.config import Settings
from nexus.http.account_places import AccountPlaces
from nexus.services.media_events import MAX_STREAMS_PER_USER

_PICTURE = re.compile(r"/media/[^/]+/pictures/[^/]+")
# Event streams send a heartbeat well within this.
_TIMEOUT = httpx.Timeout(60, connect=5)
# An imported file is read before the response comes, and an export of much may have little to say.
_FILE_TIMEOUT = httpx.Timeout(180, connect=5)
# Below the 5 s after which uvicorn closes an idle connection: a request sent just then would fail.
KEEPALIVE_SECONDS = 2.0
# For the BFF's own requests.
_OWN_CONNECTIONS = 20


@dataclass(frozen=True)
class Lane:
    """A connection pool, and who may use how much of it."""

    client: httpx.AsyncClient
    places: AccountPlaces


@dataclass(frozen=True)
class Lanes:
    streams: Lane
    images: Lane
    files: Lane
    others: Lane

    def of(self, path: str) -> Lane:
        """The lane for a path of the API, decoded as the API decodes it."""
        if path == "/media/image" or _PICTURE.fullmatch(path):
            return self.images
        if path in {"/imports", "/exports"}:
            return self.files
        return self.streams if path == "/media/events" else self.others


@asynccontextmanager
async def open_lanes(settings: Settings) -> AsyncIterator[Lanes]:
    """Pools to the API, closed with the block."""
    async with AsyncExitStack() as stack:

        async def lane(places: AccountPlaces, timeout: httpx.Timeout = _TIMEOUT) -> Lane:
            connections = places.total + _OWN_CONNECTIONS
            client = create_api_client(settings, connections=connections, timeout=timeout)
            return Lane(await stack.enter_async_context(client), places)

        yield Lanes(
            streams=await lane(
                AccountPlaces(total=400, each=MAX_STREAMS_PER_USER, reserved=200, retry_after=30)
            ),
            # A page with many images requests all of them at once: they queue.
            images=await lane(
                AccountPlaces(total=64, each=12, reserved=16, max_queued=200, max_wait=20)
            ),
            files=await lane(
                AccountPlaces(total=40, each=3, reserved=10, max_queued=10, max_wait=20),
                _FILE_TIMEOUT,
            ),
            others=await lane(
                AccountPlaces(total=160, each=16, reserved=40, max_queued=200, max_wait=20)
            ),
        )


def create_api_client(
    settings: Settings, *, connections: int, timeout: httpx.Timeout = _TIMEOUT
) -> httpx.AsyncClient:
    """A connection pool to the API, over TCP or a UNIX socket."""
    url = settings.api_url or "http://127.0.0.1:8421"
    limits = httpx.Limits(
        max_connections=connections,
        max_keepalive_connections=50,
        keepalive_expiry=KEEPALIVE_SECONDS,
    )
    if url.startswith("unix:"):
        # There is no TLS on a socket of this machine, and loading certificates takes 2 MiB.
        transport = httpx.AsyncHTTPTransport(
            uds=url.removeprefix("unix:"),
            limits=limits,
            verify=False,
        )
        return httpx.AsyncClient(
            transport=transport, base_url="http://api", timeout=timeout, follow_redirects=False
        )
    return httpx.AsyncClient(
        base_url=url, timeout=timeout, limits=limits, follow_redirects=False, trust_env=False
    )

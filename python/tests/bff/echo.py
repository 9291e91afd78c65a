"""A stand-in for the API that says what reached it, and the real BFF in front of it."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from bench.ports import free_port
from starlette.types import Receive, Scope, Send

from nexus.bff.app import create_app as create_bff
from nexus.config import get_settings
from tests.live import LiveNexus, serving

CHUNKS = [b"first,", b"second,", b"third"]
_RESPONSE_HEADERS = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"etag", b'"tag"'),
    (b"set-cookie", b"evil=1"),
    (b"server", b"secret-server"),
    (b"authorization", b"Bearer leaked"),
    (b"x-nexus-internal", b"leaked"),
    (b"access-control-allow-origin", b"*"),
    (b"location", b"http://internal/"),
    (b"x-powered-by", b"something"),
]


async def echo_api(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the request as it came; `/stream` in pieces, `/teapot` with an odd status."""
    if scope["type"] != "http":
        return
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    if scope["path"] == "/stream":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for chunk in CHUNKS:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})
        return
    status = {"/teapot": 418, "/empty": 204, "/unchanged": 304}.get(scope["path"], 200)
    seen = {
        "method": scope["method"],
        "raw_path": scope["raw_path"].decode("latin-1"),
        "query": scope["query_string"].decode("latin-1"),
        "headers": {name.decode(): value.decode("latin-1") for name, value in scope["headers"]},
        "body": body.decode("latin-1"),
    }
    answer = b"" if status in {204, 304} else json.dumps(seen).encode()
    await send({"type": "http.response.start", "status": status, "headers": _RESPONSE_HEADERS})
    await send({"type": "http.response.body", "body": answer})


@contextlib.contextmanager
def front_of_echo(**changes: Any) -> Iterator[LiveNexus]:
    """The real BFF before the echo."""
    port = free_port()
    settings = get_settings()
    socket = settings.data_dir / f"echo-{port}.sock"
    settings = settings.model_copy(update={"port": port, "api_url": f"unix:{socket}", **changes})
    with (
        serving(echo_api, uds=str(socket), lifespan="off"),
        serving(create_bff(settings), host=settings.host, port=port),
    ):
        yield LiveNexus(settings, socket, settings.origin)

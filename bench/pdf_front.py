"""The front of Nexus with bare pdf.js beside it, so that one server sends the files of both."""

from apps.bff.main import app as nexus
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from nexus.config import PROJECT_ROOT

BARE = "/bare"

_pdfjs = StaticFiles(directory=PROJECT_ROOT / "apps" / "web" / "node_modules" / "pdfjs-dist")
_blank = HTMLResponse("<!DOCTYPE html><title>pdf.js</title><body></body>")


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """An empty page at `/bare`, the files of pdf.js below it, and all else as it is."""
    path = scope.get("path", "")
    if path == BARE:
        await _blank(scope, receive, send)
    elif path.startswith(f"{BARE}/"):
        await _pdfjs({**scope, "root_path": BARE}, receive, send)
    else:
        await nexus(scope, receive, send)

"""The built web app: hashed assets are cached forever, the page itself never."""

import re
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from nexus.config import PROJECT_ROOT
from nexus.http.conditional import is_unchanged

# pdf.js decodes some pictures with WebAssembly. Only its worker may, under a policy of its own, and
# it may load nothing but what lies beside it.
_PDF_WORKER = re.compile(r"pdf\.worker\.min-[\w-]+\.mjs")
_PDF_WORKER_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types"
)

DIST = PROJECT_ROOT / "apps" / "web" / "dist"
_OWN_PREFIXES = ("api", "auth", "storage", "assets")


class ImmutableFiles(StaticFiles):
    """Files whose names carry a hash of their content."""

    async def check_config(self) -> None:
        """An app that is not built yet has no assets: that is a 404, not a crash."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            response = await super().get_response(path, scope)
        except ValueError:
            # A NUL in the name: no file system has such a file.
            raise HTTPException(404) from None
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        if _PDF_WORKER.fullmatch(path):
            response.headers["Content-Security-Policy"] = _PDF_WORKER_POLICY
        return response


def mount_web_app(app: FastAPI, dist: Path = DIST) -> None:
    """Serve the app: real files by name, and its page for every address it routes itself."""
    app.mount("/assets", ImmutableFiles(directory=dist / "assets", check_dir=False), name="assets")
    files = {file.name: file for file in dist.glob("*") if file.is_file()}

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    def page(path: str, request: Request) -> Response:
        if path.split("/", 1)[0] in _OWN_PREFIXES:
            raise HTTPException(404)
        file = files.get(path, dist / "index.html")
        if not file.exists():
            return Response(
                "The web app is not built yet: run `make up`.\n",
                status_code=503,
                media_type="text/plain",
            )
        response = FileResponse(
            file, headers={"Cache-Control": "no-cache"}, stat_result=file.stat()
        )
        if is_unchanged(request, response.headers["etag"]):
            return NotModifiedResponse(response.headers)
        return response

"""The built web app: hashed assets are cached forever, the page itself never."""

import os
import re
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from nexus.bff.deps import session_token
from nexus.bff.preloads import Preloads
from nexus.config import PROJECT_ROOT
from nexus.http.conditional import is_unchanged
from nexus.http.encodings import accepts

# pdf.js decodes some pictures with WebAssembly. Only its worker may, under a policy of its own, and
# it may load nothing but what lies beside it.
_PDF_WORKER = re.compile(r"pdf\.worker\.min-[\w-]+\.mjs")
_PDF_WORKER_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types"
)

DIST = PROJECT_ROOT / "apps" / "web" / "dist"
# The build compresses them once and well; the smaller comes first.
_COMPRESSED = (("br", ".br"), ("gzip", ".gz"))
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
        response.headers["Vary"] = "Accept-Encoding"
        if _PDF_WORKER.fullmatch(path):
            response.headers["Content-Security-Policy"] = _PDF_WORKER_POLICY
        return response

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        headers = Headers(scope=scope)
        for encoding, suffix in _COMPRESSED:
            smaller = Path(f"{full_path}{suffix}")
            # A range is of the file itself.
            if accepts(headers, encoding) and "range" not in headers and smaller.is_file():
                response = super().file_response(smaller, smaller.stat(), scope, status_code)
                response.headers["Content-Encoding"] = encoding
                return response
        return super().file_response(full_path, stat_result, scope, status_code)


def mount_web_app(app: FastAPI, dist: Path = DIST) -> None:
    """Serve the app: real files by name, and its page for every address it routes itself."""
    app.mount("/assets", ImmutableFiles(directory=dist / "assets", check_dir=False), name="assets")
    files = {file.name: file for file in dist.glob("*") if file.is_file()}
    preloads = Preloads(dist)

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
        headers = {"Cache-Control": "no-cache"}
        if path not in files and (
            ahead := preloads.of(path, signed_in=bool(session_token(request)))
        ):
            headers["Link"] = ahead
        response = FileResponse(file, headers=headers, stat_result=file.stat())
        if is_unchanged(request, response.headers["etag"]):
            return NotModifiedResponse(response.headers)
        return response

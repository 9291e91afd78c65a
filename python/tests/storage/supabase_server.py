"""A small server that speaks the REST contract of Supabase Storage, with one bucket in memory.

Like the real one it responds 400 to most errors and puts the true status into the body, signs
tokens as HS256 JWTs, lists one folder level at a time, and refuses to replace an object unless
the upload was signed with `x-upsert: true`. What it says of a bucket that does not exist depends on
the route, as there: signing an upload misses a "related resource", signing a download misses the
object, listing and deleting find nothing, and only the rest miss the bucket. `object/info` lets a
wrong key pass as nobody, from whom a private bucket is hidden.
"""

import re
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import jwt
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

UPLOAD_TOKEN_SECONDS = 7200
_KEY = re.compile(r"[\w/!\-.*'() &$@=;:+,?]+", re.ASCII)


class Refused(Exception):
    """An error of the service: the true status, its error and code names, its message."""

    def __init__(self, status: int, error: str, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"statusCode": str(status), "error": error, "code": code, "message": message}


@dataclass
class Stored:
    """One object of the bucket."""

    data: bytes
    mimetype: str
    cache_control: str
    updated_at: datetime
    id: str = field(default_factory=lambda: str(uuid.uuid4()))


class SupabaseServer:
    """State and routes; `app` is the ASGI application to serve."""

    def __init__(
        self,
        *,
        service_key: str,
        bucket: str,
        file_size_limit: int | None = None,
        project_size_limit: int = 100 << 20,
    ) -> None:
        self.service_key = service_key
        self.bucket = bucket
        self.public = False
        self.file_size_limit = file_size_limit
        self.project_size_limit = project_size_limit
        self.allowed_mime_types: list[str] | None = None
        self.objects: dict[str, Stored] = {}
        self.requests: list[tuple[str, str]] = []
        self.failures: list[Response] = []
        self.clock: Callable[[], float] = time.time
        self._jwt_secret = uuid.uuid4().hex * 2
        # Browsers send files from any page, as they may to the real one.
        anyone = Middleware(CORSMiddleware, allow_origins="*", allow_methods="*", allow_headers="*")
        self.app = Starlette(routes=self._routes(), middleware=[anyone])

    def _routes(self) -> list[Route]:
        table: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            ("POST", "/object/upload/sign/{bucket}/{name:path}", self.sign_upload),
            ("PUT", "/object/upload/sign/{bucket}/{name:path}", self.upload_signed),
            ("POST", "/object/sign/{bucket}/{name:path}", self.sign_download),
            ("GET", "/object/sign/{bucket}/{name:path}", self.download_signed),
            ("GET", "/object/info/{bucket}/{name:path}", self.info),
            ("GET", "/object/authenticated/{bucket}/{name:path}", self.download),
            ("POST", "/object/list/{bucket}", self.list_objects),
            ("DELETE", "/object/{bucket}", self.remove),
            ("GET", "/bucket/{bucket}", self.bucket_info),
        ]
        return [
            Route(f"/storage/v1{path}", self._guarded(handler), methods=[method])
            for method, path, handler in table
        ]

    def _guarded(
        self, handler: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            self.requests.append((request.method, request.url.path))
            if self.failures:
                return self.failures.pop(0)
            try:
                return await handler(request)
            except Refused as error:
                status = error.status if error.status in {416, 500} else 400
                return JSONResponse(error.body, status_code=status)

        return endpoint

    async def sign_upload(self, request: Request) -> Response:
        self._check_key(request)
        name = self._named(request)
        if not self._has_bucket(request):
            raise Refused(
                404, "InvalidRequest", "InvalidRequest", "The related resource does not exist"
            )
        upsert = request.headers.get("x-upsert") == "true"
        if name in self.objects and not upsert:
            raise _already_exists()
        claims = {"url": f"{self.bucket}/{name}", "upsert": upsert}
        token = self._token(claims, UPLOAD_TOKEN_SECONDS)
        url = f"/object/upload/sign/{self.bucket}/{name}?token={token}"
        return JSONResponse({"url": url, "token": token})

    async def upload_signed(self, request: Request) -> Response:
        name = self._named(request)
        claims = self._verified(request, name)
        self._check_bucket(request)
        if name in self.objects and not claims["upsert"]:
            raise _already_exists()
        mimetype = request.headers.get("content-type", "application/octet-stream")
        if self.allowed_mime_types is not None and mimetype not in self.allowed_mime_types:
            message = f"mime type {mimetype} is not supported"
            raise Refused(415, "invalid_mime_type", "InvalidMimeType", message)
        # Judged when all of it has come, by what was announced.
        data = b"".join([chunk async for chunk in request.stream()])
        if int(request.headers.get("content-length", "0")) > self._limit():
            message = "The object exceeded the maximum allowed size"
            raise Refused(413, "Payload too large", "EntityTooLarge", message)
        self.objects[name] = Stored(
            data=data,
            mimetype=mimetype,
            cache_control=request.headers.get("cache-control", "no-cache"),
            updated_at=datetime.fromtimestamp(self.clock(), UTC),
        )
        return JSONResponse({"Key": f"{self.bucket}/{name}"})

    async def sign_download(self, request: Request) -> Response:
        self._check_key(request)
        name = self._named(request)
        if not self._has_bucket(request):
            raise _no_such_key()
        self._find(name)
        wanted = str((await request.json()).get("expiresIn"))
        expires_in = int(wanted) if wanted.isdecimal() else 0
        if expires_in < 1:
            raise Refused(
                400, "Error", "InvalidRequest", "body must have required property 'expiresIn'"
            )
        token = self._token({"url": f"{self.bucket}/{name}"}, expires_in)
        return JSONResponse({"signedURL": f"/object/sign/{self.bucket}/{name}?token={token}"})

    async def download_signed(self, request: Request) -> Response:
        name = self._named(request)
        self._verified(request, name)
        self._check_bucket(request)
        return self._content(request, self._find(name), request.query_params.get("download"))

    async def download(self, request: Request) -> Response:
        self._check_key(request)
        self._check_bucket(request)
        return self._content(request, self._find(self._named(request)), None)

    async def info(self, request: Request) -> Response:
        known = request.headers.get("authorization") == f"Bearer {self.service_key}"
        if not known and not self.public:
            raise _no_such_bucket()
        self._check_bucket(request)
        name = self._named(request)
        stored = self._find(name)
        return JSONResponse(
            {
                "id": stored.id,
                "name": name,
                "bucket_id": self.bucket,
                "size": len(stored.data),
                "content_type": stored.mimetype,
                "cache_control": stored.cache_control,
                "etag": f'"{stored.id}"',
                "metadata": None,
                "last_modified": stored.updated_at.isoformat(),
                "created_at": stored.updated_at.isoformat(),
            }
        )

    async def list_objects(self, request: Request) -> Response:
        self._check_key(request)
        if not self._has_bucket(request):
            return JSONResponse([])
        body = await request.json()
        folder = body["prefix"]
        if folder and not folder.endswith("/"):
            folder += "/"
        entries: dict[str, dict[str, Any]] = {}
        for name, stored in self.objects.items():
            if name.startswith(folder):
                head, slash, _ = name.removeprefix(folder).partition("/")
                entries[head] = _folder_entry(head) if slash else _object_entry(head, stored)
        ordered = [entries[name] for name in sorted(entries)]
        first = body.get("offset", 0)
        return JSONResponse(ordered[first : first + body.get("limit", 100)])

    async def remove(self, request: Request) -> Response:
        self._check_key(request)
        names = (await request.json())["prefixes"]
        if not names or len(names) > 1000:
            raise Refused(400, "InvalidRequest", "InvalidRequest", "1 to 1000 objects per request")
        if not self._has_bucket(request):
            return JSONResponse([])
        removed = [name for name in names if self.objects.pop(name, None)]
        return JSONResponse([{"name": name, "bucket_id": self.bucket} for name in removed])

    async def bucket_info(self, request: Request) -> Response:
        self._check_key(request)
        self._check_bucket(request)
        created = datetime.fromtimestamp(self.clock(), UTC).isoformat()
        return JSONResponse(
            {
                "id": self.bucket,
                "name": self.bucket,
                "owner": "",
                "public": self.public,
                "file_size_limit": self.file_size_limit,
                "allowed_mime_types": self.allowed_mime_types,
                "created_at": created,
                "updated_at": created,
            }
        )

    def _named(self, request: Request) -> str:
        name: str = request.path_params["name"]
        if not _KEY.fullmatch(name):
            raise Refused(400, "InvalidKey", "InvalidKey", f"Invalid key: {name}")
        return name

    def _check_key(self, request: Request) -> None:
        if request.headers.get("authorization") is None:
            raise Refused(400, "Error", "Error", "headers must have property 'authorization'")
        if request.headers["authorization"] != f"Bearer {self.service_key}":
            raise Refused(403, "Unauthorized", "AccessDenied", "invalid signature")

    def _has_bucket(self, request: Request) -> bool:
        return bool(request.path_params["bucket"] == self.bucket)

    def _check_bucket(self, request: Request) -> None:
        if not self._has_bucket(request):
            raise _no_such_bucket()

    def _limit(self) -> int:
        limits = (self.file_size_limit, self.project_size_limit)
        return min(limit for limit in limits if limit is not None)

    def _find(self, name: str) -> Stored:
        if name not in self.objects:
            raise _no_such_key()
        return self.objects[name]

    def _token(self, claims: dict[str, Any], seconds: int) -> str:
        now = int(self.clock())
        payload = {**claims, "iat": now, "exp": now + seconds}
        return jwt.encode(payload, self._jwt_secret, algorithm="HS256")

    def _verified(self, request: Request, name: str) -> dict[str, Any]:
        token = request.query_params.get("token", "")
        options: Any = {"verify_exp": False, "verify_iat": False}
        try:
            claims = jwt.decode(token, self._jwt_secret, algorithms=["HS256"], options=options)
        except jwt.PyJWTError as error:
            raise Refused(400, "InvalidJWT", "InvalidJWT", str(error)) from error
        if claims["exp"] <= self.clock():
            raise Refused(400, "InvalidJWT", "InvalidJWT", "jwt expired")
        # Upload and download tokens are told apart by the claim only one of them has.
        wants_upload = request.method == "PUT"
        if claims["url"] != f"{self.bucket}/{name}" or ("upsert" in claims) != wants_upload:
            raise Refused(400, "InvalidSignature", "InvalidSignature", "Invalid signature")
        return dict(claims)

    def _content(self, request: Request, stored: Stored, download: str | None) -> Response:
        headers = {"Content-Type": stored.mimetype, "Accept-Ranges": "bytes"}
        if download is not None:
            name = quote(download, safe="!~*'()")
            headers["Content-Disposition"] = (
                f"attachment; filename={name}; filename*=UTF-8''{name};"
            )
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", request.headers.get("range", ""))
        if match is None:
            return Response(stored.data, headers=headers)
        first, last = int(match[1]), min(int(match[2]), len(stored.data) - 1)
        if first > last:
            raise Refused(416, "invalid_range", "InvalidRange", "invalid range provided")
        headers["Content-Range"] = f"bytes {first}-{last}/{len(stored.data)}"
        return Response(stored.data[first : last + 1], status_code=206, headers=headers)


def _no_such_bucket() -> Refused:
    return Refused(404, "Bucket not found", "NoSuchBucket", "Bucket not found")


def _no_such_key() -> Refused:
    return Refused(404, "not_found", "NoSuchKey", "Object not found")


def _already_exists() -> Refused:
    return Refused(409, "Duplicate", "KeyAlreadyExists", "The resource already exists")


def _folder_entry(name: str) -> dict[str, Any]:
    return {"name": name, "id": None, "updated_at": None, "created_at": None, "metadata": None}


def _object_entry(name: str, stored: Stored) -> dict[str, Any]:
    written = stored.updated_at.isoformat().replace("+00:00", "Z")
    return {
        "name": name,
        "id": stored.id,
        "updated_at": written,
        "created_at": written,
        "metadata": {"size": len(stored.data), "mimetype": stored.mimetype},
    }

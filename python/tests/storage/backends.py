"""The storages the contract suite runs against, each with a way to use its signed URLs."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import SecretStr

from nexus.config import Settings
from nexus.errors import ApiError
from nexus.http.stored_bytes import storage_router
from nexus.storage import get_storage_client
from nexus.storage.errors import StorageError
from nexus.storage.paths import object_path
from nexus.storage.protocol import SignedUpload, StorageClient
from nexus.storage.supabase import SupabaseStorage
from tests.patience import PATIENCE_SECONDS

from .serving import served
from .supabase_server import SupabaseServer

SERVICE_KEY = "service-key-that-must-never-be-logged"
BUCKET = "nexus"
LIVE_URL = os.environ.get("NEXUS_TEST_SUPABASE_URL")
LIVE_KEY = os.environ.get("NEXUS_TEST_SUPABASE_KEY")
NAMES = ["local", "supabase"] + (["supabase-live"] if LIVE_URL and LIVE_KEY else [])


@dataclass
class Backend:
    """A storage and the origin that its relative signed URLs belong to."""

    client: StorageClient
    origin: str
    prefix: str
    browser: httpx.Client

    def path(self, ext: str = "pdf") -> str:
        """A path nobody has used."""
        return object_path(uuid.uuid4(), ext, prefix=self.prefix)

    def send(self, target: SignedUpload, body: bytes) -> httpx.Response:
        """PUT a body to a signed upload URL as a browser would."""
        url = httpx.URL(self.origin).join(target.url)
        return self.browser.put(url, content=body, headers=target.headers)

    def fetch(self, url: str, **headers: str) -> httpx.Response:
        """GET a signed download URL."""
        return self.browser.get(httpx.URL(self.origin).join(url), headers=headers)

    def store(self, path: str, body: bytes, content_type: str = "application/pdf") -> None:
        """Upload a body through a signed URL."""
        target = self.client.sign_upload(path, content_type=content_type, size_bytes=len(body))
        self.send(target, body).raise_for_status()


def local_settings(data_dir: Path, prefix: str = "") -> Settings:
    """Settings of an installation with local storage."""
    return Settings(
        data_dir=data_dir, storage_secret=SecretStr("storage-secret"), storage_prefix=prefix
    )


def app_for(settings: Settings, **limits: float) -> FastAPI:
    """An app that serves local storage, with the error envelope."""
    app = FastAPI()
    app.include_router(storage_router(settings, **limits))

    @app.exception_handler(ApiError)
    async def answer(request: Request, error: ApiError) -> JSONResponse:
        body = {"error": {"code": error.code, "message": error.message, "request_id": "test"}}
        return JSONResponse(body, status_code=error.status, headers=error.headers)

    return app


@contextmanager
def running_backend(name: str, data_dir: Path) -> Iterator[Backend]:
    """One backend, ready to use; what it stored is removed afterwards."""
    prefix = f"test_runs/{uuid.uuid4()}/"
    with _settings(name, data_dir, prefix) as (settings, origin):
        client = get_storage_client(settings)
        try:
            with httpx.Client(timeout=PATIENCE_SECONDS) as browser:
                yield Backend(client, origin, prefix, browser)
        finally:
            with suppress(StorageError):  # best effort: the scheduled clean-up takes the rest
                client.delete_prefix(prefix)
            if isinstance(client, SupabaseStorage):
                client.close()


@contextmanager
def _settings(name: str, data_dir: Path, prefix: str) -> Iterator[tuple[Settings, str]]:
    if name == "local":
        settings = local_settings(data_dir, prefix)
        with served(app_for(settings)) as origin:
            yield settings, origin
    elif name == "supabase":
        server = SupabaseServer(service_key=SERVICE_KEY, bucket=BUCKET)
        with served(server.app) as origin:
            yield supabase_settings(origin, SERVICE_KEY, prefix), origin
    else:
        assert LIVE_URL
        assert LIVE_KEY
        bucket = os.environ.get("NEXUS_TEST_SUPABASE_BUCKET", BUCKET)
        yield supabase_settings(LIVE_URL, LIVE_KEY, prefix, bucket), LIVE_URL


def supabase_settings(url: str, key: str, prefix: str, bucket: str = BUCKET) -> Settings:
    """Settings of an installation with Supabase storage."""
    return Settings(
        storage="supabase",
        storage_prefix=prefix,
        supabase_url=url,
        supabase_service_key=SecretStr(key),
        supabase_bucket=bucket,
    )

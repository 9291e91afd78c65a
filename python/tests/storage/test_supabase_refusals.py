"""What the refusals of Supabase Storage, of gateways and of other servers are taken for."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from nexus.storage.errors import (
    InvalidPath,
    ObjectExists,
    ObjectNotFound,
    ObjectTooLarge,
    PublicBucket,
    RangeBehindEnd,
    StorageError,
    StorageMisconfigured,
    StorageUnavailable,
    WrongAddress,
    WrongBucket,
    WrongKey,
    in_megabytes,
)
from nexus.storage.supabase import SupabaseStorage
from nexus.storage.supabase_api import SupabaseApi
from nexus.storage.supabase_errors import refusal

from .backends import BUCKET, SERVICE_KEY
from .serving import served
from .supabase_server import Stored, SupabaseServer

PATH = "media/one/original.pdf"
OTHER = "media/two/original.pdf"


def said(status: int, error: str, code: str, message: str = "…") -> dict[str, object]:
    return {"statusCode": str(status), "error": error, "code": code, "message": message}


@pytest.mark.parametrize(
    ("http_status", "body", "expected"),
    [
        # The service's own words.
        (400, said(404, "not_found", "NoSuchKey", "Object not found"), ObjectNotFound),
        (404, {"code": "NoSuchKey", "message": "Object not found"}, ObjectNotFound),
        (400, {"statusCode": "404", "error": "not_found"}, ObjectNotFound),
        (400, {"statusCode": "404", "error": "Not found", "message": "lost"}, ObjectNotFound),
        (400, said(404, "Bucket not found", "NoSuchBucket"), WrongBucket),
        (404, said(404, "InvalidRequest", "InvalidRequest"), WrongBucket),
        (400, said(404, "InvalidRequest", "InvalidRequest"), WrongBucket),
        (400, said(403, "Unauthorized", "AccessDenied", "jwt expired"), WrongKey),
        (400, said(400, "InvalidJWT", "InvalidJWT"), WrongKey),
        (400, said(413, "Payload too large", "EntityTooLarge"), ObjectTooLarge),
        (400, said(416, "InvalidRange", "S3Error"), RangeBehindEnd),
        (416, said(416, "invalid_range", "InvalidRange"), RangeBehindEnd),
        (400, said(409, "Duplicate", "KeyAlreadyExists"), ObjectExists),
        (400, said(409, "TransactionError", "TransactionError"), StorageUnavailable),
        (400, said(423, "ResourceLocked", "ResourceLocked"), StorageUnavailable),
        (400, said(503, "SlowDown", "SlowDown"), StorageUnavailable),
        (544, said(544, "DatabaseTimeout", "DatabaseTimeout"), StorageUnavailable),
        (400, said(400, "InvalidKey", "InvalidKey"), InvalidPath),
        (400, said(400, "TenantNotFound", "TenantNotFound"), WrongAddress),
        (400, said(415, "invalid_mime_type", "InvalidMimeType"), StorageMisconfigured),
        # A gateway's, or those of another server altogether.
        (404, {"message": "no Route matched with those values"}, WrongAddress),
        (
            404,
            {"statusCode": 404, "error": "Not Found", "message": "Route not found"},
            WrongAddress,
        ),
        (404, {"error": "Not found"}, WrongAddress),
        (404, {"detail": "Not Found"}, WrongAddress),
        (404, {"code": 404, "error": {"code": "NoSuchKey"}}, WrongAddress),
        (404, ["NoSuchKey"], WrongAddress),
        (404, "Object not found", WrongAddress),
        (405, {}, WrongAddress),
        (302, None, WrongAddress),
        (409, {"error": "Conflict"}, StorageMisconfigured),
        (401, {"message": "Invalid API key"}, WrongKey),
        (413, "<h1>413</h1>", ObjectTooLarge),
        (502, "<h1>Bad gateway</h1>", StorageUnavailable),
    ],
)
def test_what_a_refusal_means(http_status: int, body: object, expected: type[StorageError]) -> None:
    assert type(refusal(http_status, json.dumps(body).encode())) is expected


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"[" * 100_000, b'{"statusCode": "9' + b"9" * 5000]
)
def test_a_refusal_that_is_no_json(content: bytes) -> None:
    assert type(refusal(404, content)) is WrongAddress


@pytest.mark.parametrize(
    ("size", "text"), [(50 << 20, "50 MB"), ((50 << 20) - 1, "49.9 MB"), (524288, "0.5 MB")]
)
def test_limits_are_told_as_people_read_them(size: int, text: str) -> None:
    assert in_megabytes(size) == text
    assert str(ObjectTooLarge(size)) == f"the file is too large; the storage accepts {text}"


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[SupabaseServer, str]]:
    server = SupabaseServer(service_key=SERVICE_KEY, bucket=BUCKET)
    with served(server.app) as origin:
        yield server, origin


@pytest.fixture
def server(running: tuple[SupabaseServer, str]) -> SupabaseServer:
    """The server with one stored object and nothing else going on."""
    server = running[0]
    server.objects = {PATH: Stored(b"%PDF-1.7", "application/pdf", "", datetime.now(UTC))}
    server.public, server.file_size_limit, server.project_size_limit = False, None, 100 << 20
    return server


@pytest.fixture
def client_with(
    server: SupabaseServer,
    running: tuple[SupabaseServer, str],
) -> Iterator[Callable[..., SupabaseStorage]]:
    """A client of the server, by default with the right key and the right bucket."""
    clients: list[SupabaseStorage] = []

    def make(*, key: str = SERVICE_KEY, bucket: str = BUCKET) -> SupabaseStorage:
        clients.append(SupabaseStorage(SupabaseApi(running[1], key), bucket))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


def put(client: SupabaseStorage, path: str, body: bytes) -> None:
    client.put(path, content_type="application/pdf", size_bytes=len(body), chunks=[body])


def every_call(client: SupabaseStorage) -> dict[str, Callable[[], object]]:
    return {
        "check": client.check,
        "max_object_bytes": client.max_object_bytes,
        "stat": partial(client.stat, PATH),
        "open_stream": lambda: b"".join(client.open_stream(PATH)),
        "read_range": partial(client.read_range, PATH, 0, 4),
        "sign_upload": partial(
            client.sign_upload, OTHER, content_type="application/pdf", size_bytes=1
        ),
        "sign_download": partial(client.sign_download, PATH, filename="x.pdf"),
        "put": partial(put, client, OTHER, b"x"),
        "delete": partial(client.delete, OTHER),
        "list_prefix": lambda: list(client.list_prefix("media")),
        "delete_prefix": partial(client.delete_prefix, "media"),
    }


CALLS = list(every_call(SupabaseStorage(SupabaseApi("http://127.0.0.1:1", "x"), "x")))


@pytest.mark.parametrize("name", CALLS)
def test_a_missing_bucket_is_said_by_every_call(
    client_with: Callable[..., SupabaseStorage], server: SupabaseServer, name: str
) -> None:
    with pytest.raises(WrongBucket, match="bucket"):
        every_call(client_with(bucket="nowhere"))[name]()
    assert list(server.objects) == [PATH]


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_key_is_said_by_every_call(
    client_with: Callable[..., SupabaseStorage], server: SupabaseServer, name: str
) -> None:
    with pytest.raises(WrongKey, match="key"):
        every_call(client_with(key="wrong"))[name]()
    assert list(server.objects) == [PATH]


# Nothing in these tells a file, or the size of one, from any other page.
TRUSTING = {"stat", "open_stream", "read_range"}


@pytest.mark.parametrize(
    "answer",
    [
        JSONResponse({"message": "no Route matched with those values"}, 404),
        JSONResponse({"detail": "Not Found"}, 404),
        JSONResponse({"status": "ok"}),
        JSONResponse("ok"),
        PlainTextResponse("<h1>A site</h1>"),
    ],
    ids=["gateway", "other API", "JSON for everything", "a string", "a page for everything"],
)
def test_a_wrong_address_is_said_by_every_call(answer: Response) -> None:
    async def respond(_request: object) -> Response:
        return answer

    methods = ["GET", "POST", "PUT", "DELETE"]
    with served(Starlette(routes=[Route("/{rest:path}", respond, methods=methods)])) as origin:
        client = SupabaseStorage(SupabaseApi(origin, SERVICE_KEY), BUCKET)
        for name, call in every_call(client).items():
            if answer.status_code != 200 or name not in TRUSTING:
                with pytest.raises(WrongAddress):
                    call()
        client.close()


def test_a_public_bucket_is_not_ready(
    client_with: Callable[..., SupabaseStorage], server: SupabaseServer
) -> None:
    server.public = True
    with pytest.raises(PublicBucket, match="private"):
        client_with().check()


@pytest.mark.parametrize(
    ("bucket_limit", "project_limit", "known"), [(1000, 5000, 1000), (None, 1000, None)]
)
def test_too_large_for_the_storage(
    client_with: Callable[..., SupabaseStorage],
    server: SupabaseServer,
    bucket_limit: int | None,
    project_limit: int,
    known: int | None,
) -> None:
    server.file_size_limit, server.project_size_limit = bucket_limit, project_limit
    client = client_with()
    put(client, OTHER, bytes(1000))
    with pytest.raises(ObjectTooLarge) as refused:
        put(client, "media/three/original.pdf", bytes(1001))
    assert refused.value.limit_bytes == client.max_object_bytes() == known
    assert set(server.objects) == {PATH, OTHER}


def test_a_file_cut_short_between_looking_and_reading_is_no_fault_of_the_settings(
    client_with: Callable[..., SupabaseStorage], server: SupabaseServer
) -> None:
    server.failures = [JSONResponse({"size": 100, "content_type": "application/pdf"})]
    assert client_with().read_range(PATH, 50, 10) == b""


def test_a_lost_object_is_missing_and_its_neighbours_are_not(
    client_with: Callable[..., SupabaseStorage],
) -> None:
    client = client_with()
    assert client.stat(OTHER) is None
    client.delete(OTHER)
    assert list(client.list_prefix("nothing/here")) == []
    with pytest.raises(ObjectNotFound):
        client.sign_download(OTHER, filename="x.pdf")
    assert client.stat(PATH) is not None

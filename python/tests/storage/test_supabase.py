"""What only the Supabase backend can meet: refusals, outages, other configurations."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from nexus.config import Environment
from nexus.storage import get_storage_client
from nexus.storage.errors import (
    ObjectNotFound,
    StorageError,
    StorageMisconfigured,
    StorageUnavailable,
)
from nexus.storage.supabase import SupabaseStorage
from nexus.storage.supabase_api import SupabaseApi

from .backends import BUCKET, SERVICE_KEY, local_settings, supabase_settings
from .serving import served
from .supabase_server import Stored, SupabaseServer

PATH = "media/one/original.pdf"


@dataclass
class Service:
    """The server, a client of it, and how long that client would have waited between tries."""

    server: SupabaseServer
    client: SupabaseStorage
    origin: str
    waits: list[float]


@pytest.fixture(scope="module")
def shared_service() -> Iterator[Service]:
    server = SupabaseServer(service_key=SERVICE_KEY, bucket=BUCKET)
    with served(server.app) as origin:
        waits: list[float] = []
        client = SupabaseStorage(SupabaseApi(origin, SERVICE_KEY, sleep=waits.append), BUCKET)
        yield Service(server, client, origin, waits)
        client.close()


@pytest.fixture
def service(shared_service: Service) -> Service:
    """The service with one stored object and nothing else going on."""
    server = shared_service.server
    server.objects = {
        PATH: Stored(b"%PDF-1.7", "application/pdf", "no-cache", datetime.now(UTC)),
    }
    server.failures.clear()
    server.requests.clear()
    server.public = False
    server.clock = time.time
    shared_service.waits.clear()
    return shared_service


def client_of(
    service: Service, *, key: str = SERVICE_KEY, bucket: str = BUCKET
) -> closing[SupabaseStorage]:
    """Another client of the service, closed when the block ends."""
    return closing(SupabaseStorage(SupabaseApi(service.origin, key), bucket))


def failing(status: int) -> Response:
    return JSONResponse({"statusCode": str(status), "error": "x", "message": "x"}, status)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 544])
def test_a_passing_fault_is_tried_again(service: Service, status: int) -> None:
    service.server.failures = [failing(status), PlainTextResponse("oops", status)]
    info = service.client.stat(PATH)
    assert info is not None
    assert info.size_bytes == 8
    assert len(service.server.requests) == 3
    assert len(service.waits) == 2
    assert 0.1 <= service.waits[0] <= 0.3
    assert 0.4 <= service.waits[1] <= 1.2


def test_a_lasting_fault_ends_after_three_tries(service: Service) -> None:
    service.server.failures = [failing(503) for _ in range(9)]
    with pytest.raises(StorageUnavailable):
        b"".join(service.client.open_stream(PATH))
    assert len(service.server.requests) == 3


REFUSALS = [
    PlainTextResponse("<h1>404</h1>", 404),
    PlainTextResponse("forbidden", 403),
    JSONResponse(["not", "the", "service"], 404),
    RedirectResponse("http://elsewhere.invalid/"),
    JSONResponse({"statusCode": "403", "error": "Unauthorized", "message": "jwt expired"}, 400),
    JSONResponse({"message": "Invalid API key"}, 401),
    JSONResponse({"statusCode": "418", "error": "Teapot", "message": "?"}, 400),
]


@pytest.mark.parametrize("answer", REFUSALS)
def test_a_refusal_is_not_tried_again_and_never_means_missing(
    service: Service, answer: Response
) -> None:
    service.server.failures = [answer]
    with pytest.raises(StorageMisconfigured):
        service.client.stat(PATH)
    assert len(service.server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        JSONResponse(
            {"statusCode": "404", "error": "not_found", "message": "Object not found"}, 400
        ),
        JSONResponse({"statusCode": "404", "error": "Not found", "message": "gone"}, 400),
        JSONResponse({"code": "NoSuchKey", "message": "Object not found"}, 404),
    ],
)
def test_the_ways_to_say_missing(service: Service, answer: Response) -> None:
    service.server.failures = [answer]
    assert service.client.stat(PATH) is None


def test_a_wrong_key_a_missing_and_a_public_bucket_are_not_ready(service: Service) -> None:
    service.client.check()
    for other in (client_of(service, key="wrong"), client_of(service, bucket="nowhere")):
        with other as client:
            with pytest.raises(StorageMisconfigured):
                client.check()
            with pytest.raises(StorageMisconfigured):
                client.stat(PATH)
    service.server.public = True
    with pytest.raises(StorageMisconfigured, match="private"):
        service.client.check()


def test_nobody_listening() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    waits: list[float] = []
    api = SupabaseApi(f"http://127.0.0.1:{port}", SERVICE_KEY, sleep=waits.append)
    with pytest.raises(StorageUnavailable):
        SupabaseStorage(api, BUCKET).check()
    assert len(waits) == 2
    api.close()


@pytest.mark.parametrize("answer", [JSONResponse({}), JSONResponse({"url": "/x", "signedURL": 1})])
def test_an_answer_without_a_signed_url(service: Service, answer: Response) -> None:
    service.server.failures = [answer, answer]
    with pytest.raises(StorageMisconfigured):
        service.client.sign_upload("media/x/y.pdf", content_type="application/pdf", size_bytes=1)
    with pytest.raises(StorageMisconfigured):
        service.client.sign_download(PATH, filename="x")


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "e30.e30.e30"])
def test_a_token_nobody_can_read(service: Service, token: str) -> None:
    service.server.failures = [JSONResponse({"url": f"/object/upload/sign/x?token={token}"})]
    with pytest.raises(StorageMisconfigured):
        service.client.sign_upload("media/x/y.pdf", content_type="application/pdf", size_bytes=1)


def test_a_service_that_ignores_ranges_fails_instead_of_filling_memory(service: Service) -> None:
    size = {"size": 10, "content_type": "application/pdf"}
    service.server.failures = [JSONResponse(size), PlainTextResponse("0123456789")]
    with pytest.raises(StorageUnavailable):
        service.client.read_range(PATH, 0, 5)


def test_a_failure_may_say_more_than_the_bytes_that_were_asked_for(service: Service) -> None:
    size = {"size": 10, "content_type": "application/pdf"}
    gone = {"statusCode": "404", "error": "not_found", "message": "Object not found" + " " * 1000}
    service.server.failures = [JSONResponse(size), JSONResponse(gone, 400)]
    with pytest.raises(ObjectNotFound):
        service.client.read_range(PATH, 0, 1)


def test_a_range_that_is_longer_than_asked_for_is_an_error(service: Service) -> None:
    size = {"size": 10, "content_type": "application/pdf"}
    service.server.failures = [JSONResponse(size), PlainTextResponse("0123456789", 206)]
    with pytest.raises(StorageUnavailable):
        service.client.read_range(PATH, 0, 5)


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, '"' * 2_000_000])
def test_json_that_is_no_answer(service: Service, body: str) -> None:
    service.server.failures = [PlainTextResponse(body), PlainTextResponse(body, 500)] * 3
    with pytest.raises((StorageMisconfigured, StorageUnavailable)):
        service.client.stat(PATH)


def test_an_object_of_unknown_size(service: Service) -> None:
    service.server.failures = [JSONResponse({"size": None, "content_type": None})]
    with pytest.raises(StorageUnavailable):
        service.client.stat(PATH)


def test_a_shorter_token_lifetime_is_reported(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{SupabaseServer.__module__}.UPLOAD_TOKEN_SECONDS", 60)
    target = service.client.sign_upload(
        "media/two/original.pdf", content_type="application/pdf", size_bytes=1
    )
    assert 50 <= (target.expires_at - datetime.now(UTC)).total_seconds() <= 60


def test_expired_and_forged_tokens_are_refused(service: Service) -> None:
    target = service.client.sign_upload(
        "media/two/original.pdf", content_type="application/pdf", size_bytes=1
    )
    link = service.client.sign_download(PATH, filename="x.pdf")
    assert httpx.get(link.url).status_code == 200
    token = link.url.partition("token=")[2].partition("&")[0]
    forged = token[:-6] + ("AAAAAA" if not token.endswith("AAAAAA") else "BBBBBB")
    assert httpx.get(link.url.replace(token, forged)).status_code == 400
    service.server.clock = lambda: time.time() + 7201
    assert httpx.get(link.url).status_code == 400
    assert httpx.put(target.url, content=b"x", headers=target.headers).status_code == 400
    assert list(service.server.objects) == [PATH]


def test_the_service_key_is_never_logged_or_shown(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    shown = [repr(service.client), repr(vars(service.client))]
    service.server.failures = [failing(403)]
    for call in (
        lambda: service.client.stat(PATH),
        lambda: service.client.stat("media/none/x.pdf"),
        lambda: service.client.sign_download("media/none/x.pdf", filename="x"),
        lambda: service.client.sign_upload(PATH, content_type="application/pdf", size_bytes=1),
    ):
        try:
            call()
        except StorageError as error:
            shown.append(f"{error!r} {error.__cause__!r} {error.__context__!r}")
    assert caplog.records
    assert SERVICE_KEY not in caplog.text + "".join(shown)


def test_a_stream_that_breaks_off_is_an_error(service: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(10)
        api = SupabaseApi(f"http://127.0.0.1:{listener.getsockname()[1]}", SERVICE_KEY)
        stream = SupabaseStorage(api, BUCKET).open_stream(PATH)

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(StorageUnavailable):
            b"".join(stream)
        thread.join()
        api.close()


def test_tests_keep_to_their_own_folder() -> None:
    settings = supabase_settings("http://127.0.0.1:1", "key", "")
    with pytest.raises(StorageMisconfigured, match="test_runs"):
        SupabaseStorage.from_settings(settings.model_copy(update={"env": Environment.TEST}))


def test_a_process_has_one_client_for_each_configuration(tmp_path: Path) -> None:
    one, other = local_settings(tmp_path / "one"), local_settings(tmp_path / "other")
    assert get_storage_client(one) is get_storage_client(one)
    assert get_storage_client(one) is not get_storage_client(other)
    with pytest.raises(ObjectNotFound):
        get_storage_client(one).sign_download(PATH, filename="x")

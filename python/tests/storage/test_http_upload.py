"""PUT /storage/…: only the announced bytes, only with the signed URL, all or nothing."""

import errno
import os
import resource
import shutil
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from nexus.storage.local import LocalStorage
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS

from .backends import app_for, local_settings
from .serving import served

PATH = "media/6f1c1a52-3c43-4f0e-9b0a-0d6b8e5f7a11/original.pdf"
BODY = b"%PDF-" + bytes(range(256)) * 8
PDF = {"Content-Type": "application/pdf"}


@dataclass
class Site:
    """A running server and the storage behind it."""

    storage: LocalStorage
    root: Path
    origin: str
    browser: httpx.Client

    def sign(self, path: str = PATH, size: int = len(BODY), expires_in: int = 300) -> str:
        signed = self.storage.sign_upload(
            path, content_type="application/pdf", size_bytes=size, expires_in=expires_in
        )
        return signed.url

    def put(self, url: str, body: Any = BODY, headers: dict[str, str] = PDF) -> httpx.Response:
        return self.browser.put(self.origin + url, content=body, headers=headers)

    def files(self) -> list[Path]:
        """Every file on the disk, temporary ones included."""
        return [path for path in self.root.rglob("*") if path.is_file()]

    def connect(self) -> socket.socket:
        port = urlsplit(self.origin).port
        return socket.create_connection(("127.0.0.1", port or 0), timeout=PATIENCE_SECONDS)


@contextmanager
def running_site(data_dir: Path, **limits: float) -> Iterator[Site]:
    settings = local_settings(data_dir)
    storage = LocalStorage.from_settings(settings)
    app = app_for(settings, **limits)
    with (
        served(app, timeout_keep_alive=1) as origin,
        httpx.Client(timeout=PATIENCE_SECONDS) as browser,
    ):
        yield Site(storage, data_dir / "storage", origin, browser)


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("data")) as site:
        yield site


@pytest.fixture
def site(shared_site: Site) -> Site:
    """A running server with an empty storage."""
    shutil.rmtree(shared_site.root, ignore_errors=True)
    return shared_site


def refusal(answer: httpx.Response) -> tuple[int, str]:
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "request_id"}
    return answer.status_code, error["code"]


def test_an_upload_is_stored_privately(site: Site) -> None:
    answer = site.put(site.sign())
    assert answer.status_code == 204
    assert answer.content == b""
    stored = site.root / PATH
    assert stored.read_bytes() == BODY
    assert site.files() == [stored]
    assert stored.stat().st_mode & 0o777 == 0o600
    for folder in (site.root, site.root / "media", stored.parent):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_chunked_upload_without_length_is_stored(site: Site) -> None:
    assert site.put(site.sign(), iter([BODY[:7], BODY[7:]])).status_code == 204
    assert (site.root / PATH).read_bytes() == BODY


def test_the_same_upload_twice_is_fine_and_another_is_not(site: Site) -> None:
    url = site.sign()
    assert site.put(url).status_code == 204
    assert site.put(url).status_code == 204
    assert refusal(site.put(url, bytes(len(BODY)))) == (409, "E_UPLOAD_CONFLICT")
    assert (site.root / PATH).read_bytes() == BODY
    assert len(site.files()) == 1


LENGTHS: list[tuple[Callable[[], Any], int, str]] = [
    (lambda: BODY + b"x", 413, "E_FILE_TOO_LARGE"),
    (lambda: BODY * 1000, 413, "E_FILE_TOO_LARGE"),
    (lambda: BODY[:-1], 400, "E_UPLOAD_INCOMPLETE"),
    (lambda: b"", 400, "E_UPLOAD_INCOMPLETE"),
    (lambda: iter([BODY, b"x"]), 413, "E_FILE_TOO_LARGE"),
    (lambda: iter([BODY * 40] * 40), 413, "E_FILE_TOO_LARGE"),
    (lambda: iter([BODY[:-1]]), 400, "E_UPLOAD_INCOMPLETE"),
]


@pytest.mark.parametrize(("body", "status", "code"), LENGTHS)
def test_a_body_of_another_length_writes_nothing(
    site: Site, body: Callable[[], Any], status: int, code: str
) -> None:
    url = site.sign()
    assert refusal(site.put(url, body())) == (status, code)
    assert site.files() == []
    assert not (site.root / "media").exists()
    assert site.put(url).status_code == 204


@pytest.mark.parametrize(("announced", "status"), [(len(BODY) + 1, b"413"), (0, b"400")])
def test_a_wrong_length_is_refused_before_the_body_is_sent(
    site: Site, announced: int, status: bytes
) -> None:
    with site.connect() as connection:
        head = (
            f"PUT {site.sign()} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
            f"Content-Type: application/pdf\r\nContent-Length: {announced}\r\n\r\n"
        )
        connection.sendall(head.encode())
        assert connection.makefile("rb").readline().split()[1] == status
    assert site.files() == []


@pytest.mark.parametrize(
    "content_type", ["text/html", "application/pdf; charset=utf-8", "application/epub+zip", ""]
)
def test_another_content_type_is_refused(site: Site, content_type: str) -> None:
    answer = site.put(site.sign(), headers={"Content-Type": content_type})
    assert refusal(answer) == (403, "E_SIGNATURE_INVALID")
    assert refusal(site.put(site.sign(), headers={})) == (403, "E_SIGNATURE_INVALID")
    assert site.files() == []


def test_other_methods_paths_and_times_are_refused(site: Site) -> None:
    url = site.sign()
    elsewhere = url.replace("/6f1c", "/6f1d")
    assert refusal(site.put(elsewhere)) == (403, "E_SIGNATURE_INVALID")
    assert refusal(site.put(url + "&size=1")) == (403, "E_SIGNATURE_INVALID")
    assert refusal(site.put(url.partition("?")[0])) == (403, "E_SIGNATURE_INVALID")
    assert refusal(site.put(site.sign(expires_in=0))) == (403, "E_SIGNATURE_EXPIRED")
    assert refusal(site.browser.get(site.origin + url)) == (403, "E_SIGNATURE_INVALID")
    assert site.browser.head(site.origin + url).status_code == 403
    for method in ("POST", "PATCH", "DELETE", "OPTIONS"):
        assert site.browser.request(method, site.origin + url).status_code == 405
    assert site.files() == []


def test_a_download_url_uploads_nothing(site: Site) -> None:
    site.put(site.sign())
    url = site.storage.sign_download(PATH, filename="x.pdf").url
    site.storage.delete(PATH)
    assert refusal(site.put(url)) == (403, "E_SIGNATURE_INVALID")
    assert site.files() == []


def test_a_flipped_bit_anywhere_in_the_request_writes_nothing(site: Site) -> None:
    target = site.sign(size=4)
    for position in range(1, len(target)):
        forged = bytearray(target.encode())
        forged[position] ^= 1
        with site.connect() as connection:
            connection.sendall(
                b"PUT %b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                b"Content-Type: application/pdf\r\nContent-Length: 4\r\n\r\n%%PDF" % bytes(forged)
            )
            status_line = connection.makefile("rb").readline()
        assert status_line.split()[1][:1] == b"4", (position, status_line)
    assert site.files() == []


@pytest.mark.parametrize("target", ["/storage/../secrets.json", "/storage/..%2fsecrets.json"])
@pytest.mark.parametrize("method", ["PUT", "GET"])
def test_no_target_leaves_the_root(site: Site, target: str, method: str) -> None:
    outside = site.root.parent / "secrets.json"
    outside.write_text("{}")
    query = site.sign().partition("?")[2]
    with site.connect() as connection:
        head = (
            f"{method} {target}?{query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            f"Content-Type: application/pdf\r\nContent-Length: {len(BODY)}\r\n\r\n"
        )
        connection.sendall(head.encode() + BODY)
        status_line = connection.makefile("rb").readline()
    assert status_line.split()[1] in {b"403", b"404"}
    assert outside.read_text() == "{}"
    assert site.files() == []


def half_an_upload(site: Site) -> bytes:
    head = (
        f"PUT {site.sign()} HTTP/1.1\r\nHost: x\r\n"
        f"Content-Type: application/pdf\r\nContent-Length: {len(BODY)}\r\n\r\n"
    )
    return head.encode() + BODY[:100]


def test_a_client_that_hangs_up_leaves_nothing(site: Site) -> None:
    with site.connect() as connection:
        connection.sendall(half_an_upload(site))
        wait_for(lambda: len(site.files()) == 1)
    wait_for(lambda: site.files() == [])


def test_a_client_that_falls_silent_is_cut_off(tmp_path: Path) -> None:
    with running_site(tmp_path, idle_seconds=0.3) as site, site.connect() as connection:
        connection.sendall(half_an_upload(site))
        answer = connection.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 400")
        assert b"E_UPLOAD_INCOMPLETE" in answer
        assert site.files() == []


def test_a_disk_that_fills_up_leaves_nothing(site: Site) -> None:
    body = bytes(4 * 1024 * 1024)
    url = site.sign(size=len(body))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024 * 1024, hard))
    try:
        answer = site.put(url, body)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert refusal(answer) == (503, "E_UNAVAILABLE")
    assert site.files() == []
    assert site.put(url, body).status_code == 204


@pytest.mark.parametrize("call", ["fsync", "link", "mkdir"])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (errno.ENOSPC, (507, "E_STORAGE_FULL")),
        (errno.EIO, (503, "E_UNAVAILABLE")),
        (errno.EROFS, (503, "E_UNAVAILABLE")),
    ],
)
def test_a_failing_disk_leaves_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch, call: str, code: int, expected: tuple[int, str]
) -> None:
    site.storage.check()
    url = site.sign()

    def fail(*args: Any, **options: Any) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as broken:
        broken.setattr(os, call, fail)
        answer = site.put(url)
    assert refusal(answer) == expected
    assert site.files() == []
    assert site.put(url).status_code == 204


def test_of_many_different_uploads_at_once_one_wins(site: Site) -> None:
    url = site.sign(size=300_000)
    bodies = [bytes([n]) * 300_000 for n in range(12)]
    with ThreadPoolExecutor(12) as pool:
        statuses = list(pool.map(lambda body: site.put(url, body).status_code, bodies))
    assert sorted(statuses) == [204] + [409] * 11
    assert (site.root / PATH).read_bytes() == bodies[statuses.index(204)]
    assert len(site.files()) == 1


def test_many_equal_uploads_at_once_all_succeed(site: Site) -> None:
    url = site.sign(size=300_000)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: site.put(url, bytes(300_000)), range(8)))
    assert {answer.status_code for answer in answers} == {204}
    assert len(site.files()) == 1

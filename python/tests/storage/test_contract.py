"""What every storage backend must do, run against each of them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from nexus.storage.errors import InvalidPath, ObjectExists, ObjectNotFound
from nexus.storage.protocol import CHUNK_BYTES, MAX_RANGE_BYTES, ObjectInfo

from .backends import NAMES, Backend, running_backend

BODY = b"%PDF-1.7\n" + bytes(range(256)) * 40


@pytest.fixture(scope="module", params=NAMES)
def backend(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Backend]:
    with running_backend(request.param, tmp_path_factory.mktemp("data")) as backend:
        yield backend


def test_is_ready(backend: Backend) -> None:
    backend.client.check()


def test_what_was_uploaded_comes_back(backend: Backend) -> None:
    path = backend.path()
    backend.store(path, BODY)
    assert backend.client.stat(path) == ObjectInfo(len(BODY), "application/pdf")
    assert b"".join(backend.client.open_stream(path)) == BODY
    signed = backend.client.sign_download(path, filename="Bericht 2026.pdf")
    answer = backend.fetch(signed.url)
    assert answer.status_code == 200
    assert answer.content == BODY
    assert answer.headers["content-type"] == "application/pdf"
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment;")
    assert "filename*=UTF-8''Bericht%202026.pdf" in disposition


def test_what_is_put_comes_back(backend: Backend) -> None:
    path = backend.path()
    put = partial(backend.client.put, path, content_type="application/pdf", size_bytes=len(BODY))
    put(chunks=[BODY[:100], BODY[100:]])
    assert backend.client.stat(path) == ObjectInfo(len(BODY), "application/pdf")
    assert b"".join(backend.client.open_stream(path)) == BODY
    with pytest.raises(ObjectExists):
        put(chunks=[bytes(len(BODY))])
    assert b"".join(backend.client.open_stream(path)) == BODY


def test_an_epub_keeps_its_type(backend: Backend) -> None:
    path = backend.path("epub")
    backend.store(path, b"PK", "application/epub+zip")
    assert backend.client.stat(path) == ObjectInfo(2, "application/epub+zip")


def test_an_empty_object_is_an_object(backend: Backend) -> None:
    path = backend.path()
    backend.store(path, b"")
    assert backend.client.stat(path) == ObjectInfo(0, "application/pdf")
    assert b"".join(backend.client.open_stream(path)) == b""
    assert backend.client.read_range(path, 0, 10) == b""


def test_large_objects_are_streamed_in_chunks(backend: Backend) -> None:
    path, body = backend.path(), bytes(3 * 1024 * 1024)
    backend.store(path, body)
    sizes = [len(chunk) for chunk in backend.client.open_stream(path)]
    assert sum(sizes) == len(body)
    assert max(sizes) <= CHUNK_BYTES


def test_a_stream_can_be_left_early(backend: Backend) -> None:
    path = backend.path()
    backend.store(path, bytes(2 * 1024 * 1024))
    stream = backend.client.open_stream(path)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert len(b"".join(backend.client.open_stream(path))) == 2 * 1024 * 1024


@pytest.mark.parametrize(
    ("start", "length"),
    [(0, 1), (0, 5), (4, 100), (len(BODY) - 1, 1), (len(BODY) - 3, 50), (0, len(BODY) + 9)],
)
def test_ranges_are_read(backend: Backend, start: int, length: int) -> None:
    path = backend.path()
    backend.store(path, BODY)
    assert backend.client.read_range(path, start, length) == BODY[start : start + length]


@pytest.mark.parametrize("start", [len(BODY), len(BODY) + 1, 10**9])
def test_a_range_behind_the_end_is_empty(backend: Backend, start: int) -> None:
    path = backend.path()
    backend.store(path, BODY)
    assert backend.client.read_range(path, start, 4) == b""


@pytest.mark.parametrize(("start", "length"), [(-1, 4), (0, 0), (0, -4), (0, MAX_RANGE_BYTES + 1)])
def test_senseless_ranges_are_refused(backend: Backend, start: int, length: int) -> None:
    with pytest.raises(ValueError, match="range"):
        backend.client.read_range(backend.path(), start, length)


def test_a_missing_object(backend: Backend) -> None:
    path = backend.path()
    assert backend.client.stat(path) is None
    with pytest.raises(ObjectNotFound):
        next(iter(backend.client.open_stream(path)))
    with pytest.raises(ObjectNotFound):
        backend.client.read_range(path, 0, 5)
    with pytest.raises(ObjectNotFound):
        backend.client.sign_download(path, filename="x.pdf")
    backend.client.delete(path)


def test_a_deleted_object_is_gone_and_its_place_free(backend: Backend) -> None:
    path = backend.path()
    backend.store(path, BODY)
    backend.client.delete(path)
    backend.client.delete(path)
    assert backend.client.stat(path) is None
    backend.store(path, b"other")
    assert b"".join(backend.client.open_stream(path)) == b"other"


def test_an_object_is_written_once(backend: Backend) -> None:
    path = backend.path()
    target = backend.client.sign_upload(
        path, content_type="application/pdf", size_bytes=len(BODY), expires_in=300
    )
    backend.send(target, BODY).raise_for_status()
    other = bytes(len(BODY))
    assert backend.send(target, other).status_code in {400, 409}
    assert b"".join(backend.client.open_stream(path)) == BODY
    with pytest.raises(ObjectExists):
        backend.client.sign_upload(path, content_type="application/pdf", size_bytes=3)


def test_signed_urls_last_five_minutes(backend: Backend) -> None:
    path = backend.path()
    target = backend.client.sign_upload(path, content_type="application/pdf", size_bytes=4)
    assert target.headers == {"Content-Type": "application/pdf"}
    backend.send(target, b"%PDF").raise_for_status()
    signed = backend.client.sign_download(path, filename="x.pdf")
    for expires_at in (target.expires_at, signed.expires_at):
        left = expires_at - datetime.now(UTC)
        assert timedelta(minutes=4) < left <= timedelta(minutes=5)


def test_a_url_opens_one_object_only(backend: Backend) -> None:
    mine, other = backend.path(), backend.path()
    backend.store(mine, b"mine")
    backend.store(other, b"other")
    url = backend.client.sign_download(mine, filename="x.pdf").url
    assert backend.fetch(url).content == b"mine"
    assert backend.fetch(url.replace(mine, other)).status_code in {400, 403}
    assert backend.fetch(url.partition("?")[0]).status_code in {400, 403}


def test_an_upload_url_is_for_its_path_only(backend: Backend) -> None:
    mine, other = backend.path(), backend.path()
    target = backend.client.sign_upload(mine, content_type="application/pdf", size_bytes=4)
    elsewhere = type(target)(target.url.replace(mine, other), target.headers, target.expires_at)
    assert backend.send(elsewhere, b"%PDF").status_code in {400, 403}
    assert backend.fetch(target.url).status_code >= 400
    assert backend.client.stat(mine) is None
    assert backend.client.stat(other) is None


def test_a_folder_is_listed_to_its_depth(backend: Backend) -> None:
    root = f"{backend.prefix}listing"
    wanted = {f"{root}/{n // 10}/{n}.pdf" for n in range(21)} | {f"{root}/top.pdf"}
    for path in wanted:
        backend.store(path, b"12345")
    backend.store(f"{root}-beside/x.pdf", b"1")
    for prefix in (root, f"{root}/"):
        listed = list(backend.client.list_prefix(prefix))
        assert {found.path for found in listed} == wanted
        assert {found.size_bytes for found in listed} == {5}
        age = datetime.now(UTC) - min(found.updated_at for found in listed)
        assert age < timedelta(minutes=5)
    assert list(backend.client.list_prefix(f"{root}/nothing-here")) == []


def test_a_folder_larger_than_a_page_is_listed_and_emptied(backend: Backend) -> None:
    root = f"{backend.prefix}many"
    for n in range(103):
        backend.store(f"{root}/{n}.pdf", b"")
    assert len(list(backend.client.list_prefix(root))) == 103
    assert backend.client.delete_prefix(root) == 103
    assert list(backend.client.list_prefix(root)) == []


def test_emptying_a_folder_spares_its_neighbours(backend: Backend) -> None:
    root = f"{backend.prefix}runs"
    for path in (f"{root}/1/a.pdf", f"{root}/1/deep/b.pdf", f"{root}/10/c.pdf"):
        backend.store(path, b"x")
    assert backend.client.delete_prefix(f"{root}/1") == 2
    assert [found.path for found in backend.client.list_prefix(root)] == [f"{root}/10/c.pdf"]
    assert backend.client.delete_prefix(f"{root}/1/") == 0


@pytest.mark.parametrize("prefix", ["", "a/../.."])
def test_everything_is_never_deleted(backend: Backend, prefix: str) -> None:
    with pytest.raises(InvalidPath):
        backend.client.delete_prefix(prefix)


@pytest.mark.parametrize("path", ["", "../x"])
def test_no_call_accepts_a_foreign_path(backend: Backend, path: str) -> None:
    client = backend.client
    for call in (
        lambda: client.sign_upload(path, content_type="application/pdf", size_bytes=1),
        lambda: client.sign_download(path, filename="x"),
        lambda: client.stat(path),
        lambda: next(iter(client.open_stream(path))),
        lambda: client.read_range(path, 0, 1),
        lambda: client.delete(path),
    ):
        with pytest.raises(InvalidPath):
            call()

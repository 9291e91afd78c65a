"""The local backend on a disk that others touch too."""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nexus.storage.errors import (
    InvalidPath,
    ObjectExists,
    ObjectNotFound,
    StorageMisconfigured,
    StorageUnavailable,
    UploadIncomplete,
    UploadTooLarge,
)
from nexus.storage.local import LocalStorage

from .backends import local_settings

PATH = "media/one/original.pdf"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "data" / "storage"


@pytest.fixture
def storage(root: Path) -> LocalStorage:
    return LocalStorage(root, "secret")


def write(storage: LocalStorage, path: str, body: bytes) -> None:
    with storage.pending_upload(path, len(body)) as pending:
        pending.write(body)
        pending.commit()


def files(root: Path) -> Iterator[Path]:
    return (path for path in root.rglob("*") if path.is_file())


def test_without_a_secret_nothing_is_signed(tmp_path: Path) -> None:
    settings = local_settings(tmp_path).model_copy(update={"storage_secret": None})
    with pytest.raises(StorageMisconfigured):
        LocalStorage.from_settings(settings)


def test_a_storage_never_written_to(storage: LocalStorage) -> None:
    assert storage.stat(PATH) is None
    assert list(storage.list_prefix("")) == []
    storage.delete(PATH)
    storage.check()


def test_a_pending_upload_is_invisible_until_its_commit(storage: LocalStorage, root: Path) -> None:
    with storage.pending_upload(PATH, 4) as pending:
        pending.write(b"%PDF")
        assert storage.stat(PATH) is None
        assert list(storage.list_prefix("")) == []
        pending.commit()
        assert storage.read_range(PATH, 0, 9) == b"%PDF"
    assert list(files(root)) == [root / PATH]


def test_a_block_that_fails_leaves_nothing(storage: LocalStorage, root: Path) -> None:
    def interrupted() -> None:
        with storage.pending_upload(PATH, 4) as pending:
            pending.write(b"%PDF")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(files(root)) == []


def test_the_announced_size_is_exact(storage: LocalStorage, root: Path) -> None:
    with storage.pending_upload(PATH, 4) as pending:
        pending.write(b"%PD")
        with pytest.raises(UploadTooLarge):
            pending.write(b"F-")
        with pytest.raises(UploadIncomplete):
            pending.commit()
    assert list(files(root)) == []


def test_symbolic_links_are_not_followed(storage: LocalStorage, root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "original.pdf").write_bytes(b"secret")
    (root / "media" / "leaf").mkdir(parents=True)
    (root / "media" / "linked").symlink_to(outside)
    (root / "media" / "leaf" / "original.pdf").symlink_to(outside / "original.pdf")
    for path in ("media/linked/original.pdf", "media/leaf/original.pdf"):
        assert storage.stat(path) is None
        with pytest.raises(ObjectNotFound):
            next(iter(storage.open_stream(path)))
    with pytest.raises(InvalidPath):
        write(storage, "media/linked/new.pdf", b"x")
    assert list(storage.list_prefix("media")) == []
    storage.delete("media/linked/original.pdf")
    storage.delete("media/leaf/original.pdf")
    assert [path.name for path in outside.iterdir()] == ["original.pdf"]
    assert (outside / "original.pdf").read_bytes() == b"secret"


def test_what_is_not_a_plain_file_is_not_an_object(storage: LocalStorage, root: Path) -> None:
    (root / "media" / "folder.pdf").mkdir(parents=True)
    os.mkfifo(root / "media" / "pipe.pdf")
    (root / "media" / "file").write_bytes(b"x")
    for path in ("media/folder.pdf", "media/pipe.pdf", "media/file/below.pdf"):
        assert storage.stat(path) is None
    storage.delete("media/folder.pdf")
    storage.delete("media/file/below.pdf")
    with pytest.raises(InvalidPath):
        write(storage, "media/file/below.pdf", b"x")
    assert [found.path for found in storage.list_prefix("")] == ["media/file"]


def test_deleting_prunes_the_folders_left_empty(storage: LocalStorage, root: Path) -> None:
    write(storage, "media/one/original.pdf", b"x")
    write(storage, "media/two/original.pdf", b"x")
    storage.delete("media/one/original.pdf")
    assert [path.name for path in (root / "media").iterdir()] == ["two"]
    storage.delete("media/two/original.pdf")
    assert not (root / "media").exists()
    assert root.exists()


def test_writers_and_deleters_of_neighbours_do_not_disturb_each_other(
    storage: LocalStorage, root: Path
) -> None:
    start = threading.Barrier(8)

    def churn(worker: int) -> None:
        start.wait()
        for turn in range(60):
            path = f"media/shared/{worker}.pdf"
            write(storage, path, bytes([turn]) * 100)
            assert storage.read_range(path, 0, 100) == bytes([turn]) * 100
            storage.delete(path)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(churn, range(8)))
    assert list(files(root)) == []


def test_a_reader_sees_all_or_nothing(storage: LocalStorage) -> None:
    body, ended = bytes(200_000), threading.Event()

    def read() -> set[int]:
        sizes = set()
        while not ended.is_set():
            info = storage.stat(PATH)
            sizes.add(0 if info is None else info.size_bytes)
        return sizes

    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(read)
        for _ in range(30):
            write(storage, PATH, body)
            storage.delete(PATH)
        ended.set()
        assert reader.result() <= {0, len(body)}


def test_an_object_is_never_replaced(storage: LocalStorage) -> None:
    write(storage, PATH, b"first")
    write(storage, PATH, b"first")
    for other in (b"other", b"firs", b"first!"):
        with pytest.raises(ObjectExists):
            write(storage, PATH, other)
    assert storage.read_range(PATH, 0, 99) == b"first"


def test_a_folder_that_cannot_be_used_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    storage = LocalStorage(tmp_path / "file" / "storage", "secret")
    with pytest.raises(StorageUnavailable):
        storage.check()


def test_leftovers_of_killed_processes_are_removed(storage: LocalStorage, root: Path) -> None:
    assert storage.remove_abandoned_uploads(older_than_seconds=0) == 0
    write(storage, PATH, b"x")
    old, fresh = root / ".tmp" / "old.part", root / ".tmp" / "fresh.part"
    for path in (old, fresh):
        path.write_bytes(b"half")
    os.utime(old, (1, 1))
    assert storage.remove_abandoned_uploads(older_than_seconds=3600) == 1
    assert not old.exists()
    assert fresh.exists()
    assert storage.stat(PATH) is not None

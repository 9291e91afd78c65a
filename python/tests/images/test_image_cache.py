"""The cache of images on disk: what it holds, and that it holds no more than its budget."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.errors import ApiError
from nexus.images.cache import BLOCK, ImageCache
from nexus.images.inspect import ImageForm
from nexus.services.images import proxy
from tests.images.drawn import drawn
from tests.outbound.hostile import HostileSite, page

MIB = 1024 * 1024
PNG = ImageForm("image/png", 4, 3)


def used(root: Path) -> int:
    """What the disk gives for everything below, folders included."""
    return sum(path.stat().st_blocks * 512 for path in [root, *root.rglob("*")] if path.exists())


def address(number: int) -> str:
    return f"https://example.org/{number}"


def test_the_cache_keeps_within_its_budget(tmp_path: Path) -> None:
    cache = ImageCache(tmp_path, budget_bytes=10_000)
    for number in range(50):
        cache.add(address(number), bytes([number]) * 1000, form=PNG)
    kept = [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in kept) <= 11_000
    newest = cache.find(address(49))
    assert newest is not None
    assert newest.path.read_bytes() == bytes([49]) * 1000
    assert cache.find(address(0)) is None


@pytest.mark.parametrize("size", [0, 1, 5000, 40_000])
@pytest.mark.parametrize("contents", [1, 1000])
def test_many_addresses_stay_within_the_budget(tmp_path: Path, size: int, contents: int) -> None:
    """However small the images are, and however few: it is the addresses that are many."""
    cache = ImageCache(tmp_path, budget_bytes=MIB)
    for number in range(1000):
        body = (number % contents).to_bytes(4, "big") + bytes(size)
        cache.add(address(number), body, form=PNG)
        if number % 100 == 0:
            assert used(tmp_path) <= MIB
    assert used(tmp_path) <= MIB
    assert cache.find(address(999)) is not None
    assert cache.find(address(0)) is None


def test_a_folder_that_has_grown_counts_too(tmp_path: Path) -> None:
    """It keeps the room for names it no longer holds, on most file systems."""
    urls = tmp_path / "urls"
    urls.mkdir()
    for number in range(2000):
        (urls / f"{number:0200}").touch()
    for path in list(urls.iterdir()):
        path.unlink()
    cache = ImageCache(tmp_path, budget_bytes=MIB)
    for number in range(500):
        cache.add(address(number), number.to_bytes(4, "big"), form=PNG)
    assert used(tmp_path) <= MIB
    assert cache.find(address(499)) is not None


def test_several_processes_share_one_budget(tmp_path: Path) -> None:
    """Each wrote only a few of the images, and all of them too many."""
    for number in range(1000):
        cache = ImageCache(tmp_path, budget_bytes=MIB)
        cache.add(address(number), number.to_bytes(4, "big"), form=PNG)
    assert used(tmp_path) <= MIB


def test_threads_share_one_budget(tmp_path: Path) -> None:
    cache = ImageCache(tmp_path, budget_bytes=MIB)
    with ThreadPoolExecutor(8) as pool:
        added = pool.map(
            lambda number: cache.add(address(number), number.to_bytes(4, "big"), form=PNG),
            range(2000),
        )
        assert len(list(added)) == 2000
    assert used(tmp_path) <= MIB + 8 * 2 * BLOCK
    assert not list(tmp_path.rglob("*.tmp"))


def test_what_is_used_stays(tmp_path: Path) -> None:
    cache = ImageCache(tmp_path, budget_bytes=MIB)
    cache.add(address(0), b"the one that everybody looks at", form=PNG)
    for number in range(1, 2000):
        cache.add(address(number), number.to_bytes(4, "big"), form=PNG)
        if number % 50 == 0:
            assert cache.find(address(0)) is not None


def test_what_earlier_versions_left_is_cleared_away(tmp_path: Path) -> None:
    for folder in ("blobs", "urls"):
        for number in range(256):
            left = tmp_path / folder / f"{number:02x}" / "left"
            left.parent.mkdir(parents=True)
            left.write_bytes(bytes(5000))
            os.utime(left, (0, 0))
    cut_off = tmp_path / "blobs" / ".cut-off.tmp"
    cut_off.write_bytes(bytes(5000))
    os.utime(cut_off, (0, 0))
    cache = ImageCache(tmp_path, budget_bytes=MIB)
    for number in range(300):
        cache.add(address(number), number.to_bytes(4, "big"), form=PNG)
    assert used(tmp_path) <= MIB
    assert not cut_off.exists()


def test_one_content_is_stored_once(tmp_path: Path) -> None:
    cache = ImageCache(tmp_path, budget_bytes=100_000)
    first = cache.add("https://a.example/x", b"same", form=PNG)
    second = cache.add("https://b.example/y", b"same", form=PNG)
    assert first.path == second.path
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b'{"sha256": 7}', b'{"a": "b"}'])
def test_a_damaged_entry_is_no_entry(tmp_path: Path, content: bytes) -> None:
    cache = ImageCache(tmp_path, budget_bytes=MIB)
    cache.add(address(0), b"image", form=PNG)
    (entry,) = (tmp_path / "urls").iterdir()
    entry.write_bytes(content)
    assert cache.find(address(0)) is None
    cache.add(address(0), b"image", form=PNG)
    assert cache.find(address(0)) is not None


def test_images_that_fail_leave_nothing(tmp_path: Path) -> None:
    site = HostileSite({f"/{number}": page(status="404 No") for number in range(20)})
    cache = ImageCache(tmp_path / "images", budget_bytes=MIB)
    try:
        for number in range(20):
            with pytest.raises(ApiError):
                proxy.get_image(get_settings(), cache, url=f"{site.origin}/{number}")
    finally:
        site.close()
    assert not (tmp_path / "images").exists()


def test_an_image_larger_than_the_cache_is_served(session: Session, tmp_path: Path) -> None:
    """Then another takes its room while the first is still being sent."""
    bulky = drawn("PNG") + bytes(100_000)
    head = ("Content-Type: image/png", f"Content-Length: {len(bulky)}")
    site = HostileSite({f"/{name}": page(*head, body=[bulky, name.encode()]) for name in "ab"})
    cache = ImageCache(tmp_path, budget_bytes=BLOCK)
    try:
        served = [
            proxy.serve_image(session, get_settings(), cache, url=f"{site.origin}/{name}")
            for name in "ab"
        ]
    finally:
        site.close()
    for _, file in served:
        with file:
            assert file.read() == bulky

"""Files that are whole or not there, and what becomes of those that were there before."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from nexus.atomic_file import new_file, remove_leftovers, replacement_file


def test_it_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "whole"
    with new_file(path) as file:
        file.write(b"half")
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def write(path: Path, data: bytes, *, meanwhile: Callable[[], object]) -> None:
    with new_file(path) as file:
        file.write(data)
        meanwhile()


def test_nothing_is_left_of_one_that_failed(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        write(tmp_path / "never", b"half", meanwhile=lambda: 1 / 0)
    assert list(tmp_path.iterdir()) == []


def test_one_that_is_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_bytes(b"precious")
    with pytest.raises(FileExistsError, match="already there"):
        write(path, b"new", meanwhile=lambda: pytest.fail("it must be refused at once"))
    assert path.read_bytes() == b"precious"


def test_one_that_appears_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "precious"
    with pytest.raises(FileExistsError, match="already there"):
        write(path, b"late", meanwhile=lambda: path.write_bytes(b"precious"))
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


def test_two_at_once_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "one"
    with pytest.raises(FileExistsError):
        write(path, b"slow", meanwhile=lambda: write(path, b"fast", meanwhile=lambda: None))
    assert path.read_bytes() == b"fast"


@pytest.mark.parametrize("durable", [True, False])
def test_a_replacement_is_seen_whole(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"before")
    path.chmod(0o644)
    with replacement_file(path, durable=durable) as file:
        file.write(b"after")
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_replacement_that_failed_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"before")
    with pytest.raises(ZeroDivisionError), replacement_file(path) as file:
        file.write(b"%d" % (1 // 0))
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_leftovers_of_one_file_are_removed(tmp_path: Path) -> None:
    others = {tmp_path / ".b.1.tmp", tmp_path / "a.tmp", tmp_path / "a"}
    for path in {tmp_path / ".a.1.tmp", *others}:
        path.touch()
    remove_leftovers(tmp_path / "a")
    assert set(tmp_path.iterdir()) == others

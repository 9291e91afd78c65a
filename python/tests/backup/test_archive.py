"""An archive is whole and unchanged, or it is refused before anything is touched."""

import io
import tarfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nexus.backup.archive import FILES, Entry, Manifest, new_archive, opened_archive, rows_member
from nexus.backup.errors import BackupError, DamagedArchive
from nexus.backup.restore import restore_backup
from nexus.config import Settings

ROWS = rows_member("users")
FILE = f"{FILES}media/x/original.pdf"


def small_archive(path: Path, **changes: object) -> bytes:
    path.unlink(missing_ok=True)
    with new_archive(path) as archive:
        archive.add(ROWS, io.BytesIO(b"ROWS" + bytes(3000)))
        archive.add(FILE, io.BytesIO(b"%PDF-" + bytes(range(256)) * 9))
        manifest = Manifest(
            created_at=datetime.now(UTC),
            schema_revision="20261115_initial_schema",
            rows={},
            columns={"users": []},
            entries=archive.entries,
        )
        archive.finish(manifest.model_copy(update=changes), key=bytes(32))
    return path.read_bytes()


def reads(path: Path) -> Manifest:
    with opened_archive(path) as archive:
        return archive.manifest


def all_of(path: Path) -> tuple[Manifest, dict[str, bytes]]:
    """The list of an archive, and the bytes of what it lists."""
    with opened_archive(path) as archive:
        names = archive.manifest.entries
        return archive.manifest, {name: archive.open(name).read() for name in names}


def test_whole(tmp_path: Path) -> None:
    small_archive(tmp_path / "a.tar")
    assert set(reads(tmp_path / "a.tar").entries) == {ROWS, FILE}


@settings(deadline=None)  # it writes to the disk, which others use too
@given(where=st.integers(0), bit=st.integers(0, 7))
def test_no_changed_bit_goes_unnoticed(
    where: int, bit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "flipped.tar"
    whole = small_archive(path)
    as_it_was = all_of(path)
    damaged = bytearray(whole)
    damaged[where % len(damaged)] ^= 1 << bit
    path.write_bytes(damaged)
    # Padding between members carries nothing, and a member's time or owner changes nothing.
    with suppress(BackupError):
        assert all_of(path) == as_it_was


@settings(deadline=None)
@given(length=st.integers(0))
def test_nothing_cut_off_is_taken_for_whole(
    length: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "cut.tar"
    whole = small_archive(path)
    # Behind the list only zeros follow.
    needed = len(whole.rstrip(b"\0"))
    path.write_bytes(whole[: length % needed])
    with pytest.raises(DamagedArchive):
        reads(path)


def test_what_is_there_is_what_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    small_archive(path)
    listed = reads(path).entries
    for entries in (
        {ROWS: listed[ROWS]},
        {**listed, f"{FILES}media/y/original.pdf": listed[FILE]},
        {**listed, FILE: Entry(size=listed[FILE].size, sha256=listed[ROWS].sha256)},
    ):
        small_archive(path, entries=entries)
        with pytest.raises(DamagedArchive, match="not as it was written"):
            reads(path)


def added(name: str, kind: bytes = tarfile.REGTYPE) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with tarfile.open(path, "a") as tar:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            tar.addfile(member)

    return change


def replaced(old: bytes, new: bytes) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.write_bytes(path.read_bytes().replace(old, new))

    return change


def with_header(size: int, kind: bytes, times: int = 1) -> Callable[[Path], None]:
    """Put headers before everything that describe something as large as they like."""

    def change(path: Path) -> None:
        header = tarfile.TarInfo("x")
        header.type, header.size = kind, size
        before = header.tobuf(tarfile.GNU_FORMAT) * times
        path.write_bytes(before + path.read_bytes())

    return change


def sparse(path: Path) -> None:
    """A member of a terabyte of which nothing is there."""
    with tarfile.open(path, "a") as tar:
        member = tarfile.TarInfo("files/holes.pdf")
        size = str(1 << 40)
        member.pax_headers = {
            "GNU.sparse.major": "0",
            "GNU.sparse.minor": "1",
            "GNU.sparse.map": f"{size},0",
            "GNU.sparse.size": size,
        }
        tar.addfile(member)


@pytest.mark.parametrize(
    "change",
    [
        sparse,
        with_header(1 << 33, tarfile.XHDTYPE),
        with_header(1 << 33, tarfile.GNUTYPE_LONGNAME),
        with_header(0, tarfile.XGLTYPE, times=5000),
        with_header(-512, tarfile.REGTYPE),
        with_header(1 << 60, tarfile.REGTYPE),
        added("files/extra.pdf"),
        added("manifest.json"),
        added(ROWS),
        added("link", tarfile.SYMTYPE),
        added("/etc/cron.d/x"),
        added("../x"),
        added("device", tarfile.CHRTYPE),
        added("hard", tarfile.LNKTYPE),
        replaced(b"%PDF-", b"%PDF+"),
        replaced(b"ROWS", b"ROWZ"),
        replaced(b'"sha256"', b'"sha257"'),
        lambda path: path.write_bytes(b"not a tar at all" * 100),
        lambda path: path.write_bytes(b""),
    ],
)
def test_damaged_archives_touch_nothing(tmp_path: Path, change: Callable[[Path], None]) -> None:
    path = tmp_path / "a.tar"
    small_archive(path)
    change(path)
    # It is refused before anybody asks for a database, of which there is none here.
    target = Settings(data_dir=tmp_path / "data", database_url="postgresql://nowhere.invalid/x")
    with pytest.raises(DamagedArchive):
        restore_backup(target, path, force=True, from_elsewhere=True, say=lambda line: None)
    assert not target.data_dir.exists()


def test_another_format_is_named(tmp_path: Path) -> None:
    small_archive(tmp_path / "a.tar", format=99)
    with pytest.raises(BackupError, match="format 99"):
        reads(tmp_path / "a.tar")


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with new_archive(tmp_path / "a.tar") as archive:
            archive.add(ROWS, io.BytesIO(b"x"))
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk"):
        fail()
    assert list(tmp_path.iterdir()) == []

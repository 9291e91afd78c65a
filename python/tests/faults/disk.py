"""A disk of its own for a data directory, small enough to be filled."""

import contextlib
import errno
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nexus.waiting import wait_until
from tests.patience import PATIENCE_SECONDS

_MIB = 1024 * 1024


class SmallDisk:
    """A file system in memory, mounted at a folder. Only root may do that."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave not one byte."""
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (_MIB, 4096, 1):
                with _until_full():
                    while True:
                        ballast.write(b"\0" * size)

    def make_room(self) -> None:
        """Give back what was taken."""
        self._ballast.unlink()


@contextlib.contextmanager
def small_disk(folder: Path, *, mib: int) -> Iterator[SmallDisk]:
    """A disk that is there for as long as the block lasts."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=700", "nexus-faults", str(folder)]
    mounted = subprocess.run(mount, check=False, capture_output=True, text=True)
    if mounted.returncode:
        raise OSError(f"no disk can be mounted, which only root may do: {mounted.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        # The last child of a server that was killed may hold it for a moment longer.
        wait_until(lambda: _unmounted(folder), within=PATIENCE_SECONDS)
        assert not folder.is_mount(), f"{folder} is still in use"


def _unmounted(folder: Path) -> bool:
    return subprocess.run(["umount", str(folder)], check=False, capture_output=True).returncode == 0


def why_no_small_disk() -> str | None:
    """None where such a disk can be made, otherwise why not, in a few words."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with small_disk(Path(folder) / "probe", mib=1):
                return None
        except OSError as error:
            return str(error)


@contextlib.contextmanager
def _until_full() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise

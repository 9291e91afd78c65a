"""Zips that are written in one go."""

import io
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nexus.export import zip_stream
from nexus.export.zip_stream import ZipStream


def written(files: dict[str, bytes], *, stored: bool = False) -> bytes:
    def pieces(archive: ZipStream) -> Iterator[bytes]:
        for name, data in files.items():
            yield from (
                archive.add_file(name, io.BytesIO(data)) if stored else archive.add(name, data)
            )
        yield from archive.end()

    with ZipStream() as archive:
        return b"".join(pieces(archive))


@pytest.mark.parametrize("stored", [False, True])
def test_what_goes_in_comes_out(stored: bool) -> None:
    files = {"a.txt": b"", "folder/日本 🙂.md": b"text" * 1000, "b": bytes(range(256)) * 3000}
    archive = zipfile.ZipFile(io.BytesIO(written(files, stored=stored)))
    assert archive.testzip() is None
    assert {name: archive.read(name) for name in archive.namelist()} == files
    assert written(files) == written(files)


@pytest.mark.heavy
def test_other_programs_read_it(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(written({"a.txt": b"text" * 1000}))
    subprocess.run(["unzip", "-tq", str(path)], check=True, capture_output=True)


def test_more_files_than_fit_into_the_old_table() -> None:
    data = written({f"{number}": b"" for number in range(70_000)})
    assert len(zipfile.ZipFile(io.BytesIO(data)).namelist()) == 70_000


def test_more_bytes_than_fit_into_the_old_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_stream, "_MAX_32", 5000)
    data = written({"a": b"x" * 3000, "b": b"y" * 3000, "c": b"z" * 3000}, stored=True)
    # Offsets that do not fit are all ones there; here the limit is lower, and stands for them.
    data = data.replace((5000).to_bytes(4, "little"), b"\xff" * 4)
    archive = zipfile.ZipFile(io.BytesIO(data))
    assert archive.read("c") == b"z" * 3000

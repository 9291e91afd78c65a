"""`python -m bench.read_pdfs FOLDER`: reads every PDF in a folder as a worker does.

One line each: how it ended, seconds, the extractor's largest memory, pages and characters.
"""

import argparse
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psutil


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.read_pdfs", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as data_dir:
        os.environ.update(
            NEXUS_DATA_DIR=data_dir,
            NEXUS_ENV="test",
            NEXUS_STORAGE="local",
            NEXUS_STORAGE_SECRET="nothing-is-signed-here-but-it-must-be-long",
        )
        for file in sorted(folder.glob("**/*.pdf")):
            print(f"{file.name:44.44} {_read(file.read_bytes())}", flush=True)


def _read(data: bytes) -> str:
    from nexus.config import get_settings
    from nexus.db.enums import MediaKind
    from nexus.extractors.interface import ExtractionError, Job
    from nexus.extractors.pdf import extract
    from nexus.storage import get_storage_client
    from nexus.storage.paths import object_path

    media_id = uuid4()
    path = object_path(media_id, "pdf", prefix="")
    storage = get_storage_client(get_settings())
    storage.put(path, content_type="application/pdf", size_bytes=len(data), chunks=[data])
    started = time.monotonic()
    job = Job(media_id, 1, MediaKind.PDF, storage_path=path, deadline=started + 110)
    with _largest_child() as peak:
        try:
            document = extract(job)
            characters = sum(len(text.canonical_text) for text in document.fragments)
            result = f"ready {len(document.pages)} pages, {characters} characters"
        except ExtractionError as error:
            result = f"{type(error).__name__} {error.code}"
    storage.delete(path)
    return f"{time.monotonic() - started:6.1f} s {peak[0] // 2**20:5} MiB  {result}"


@contextmanager
def _largest_child() -> Iterator[list[int]]:
    """The most that a Node process below us has held, while the block lasts."""
    peak, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            for child in psutil.Process().children(recursive=True):
                status = Path(f"/proc/{child.pid}/status")
                try:
                    text = status.read_text()
                except OSError:
                    continue
                held = re.search(r"VmHWM:\s+(\d+)", text)
                if "node" in text.splitlines()[0] and held:
                    peak[0] = max(peak[0], int(held[1]) * 1024)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


if __name__ == "__main__":
    main()

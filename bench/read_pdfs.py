"""`python -m bench.read_pdfs FOLDER [--browser]`: reads every PDF in a folder as a worker does.

One line each: how it ended, seconds, the extractor's largest memory, pages and characters. With
`--browser`, each page is read in Chromium as well, and those whose text is another are named.
"""

import argparse
import os
import tempfile
import time
from contextlib import nullcontext
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from bench.pdf_browser import PageReader, page_reader
from bench.peak import largest_child

if TYPE_CHECKING:
    from nexus.extractors.interface import Document


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.read_pdfs", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--browser", action="store_true")
    chosen = parser.parse_args()
    browser = page_reader() if chosen.browser else nullcontext()
    with tempfile.TemporaryDirectory() as data_dir, browser as reader:
        os.environ.update(
            NEXUS_DATA_DIR=data_dir,
            NEXUS_ENV="test",
            NEXUS_STORAGE="local",
            NEXUS_STORAGE_SECRET="nothing-is-signed-here-but-it-must-be-long",
        )
        for file in sorted(chosen.folder.glob("**/*.pdf")):
            said, document = _read(file.read_bytes())
            print(f"{file.name:44.44} {said}{_compared(document, file, reader)}", flush=True)


def _compared(document: "Document | None", file: Path, reader: PageReader | None) -> str:
    """How the pages in the browser compare with what is stored."""
    if reader is None:
        return ""
    found = reader.texts(file)
    if isinstance(found, str) or document is None:
        opened = found if isinstance(found, str) else f"{len(found)} pages"
        return f"; browser: {opened}"
    stored = _page_texts(document)
    differing = [
        number
        for number, (ours, text) in enumerate(zip_longest(stored, found), start=1)
        if ours != (text or "")
    ]
    return f"; browser: {len(stored) - len(differing)} pages the same, others {differing}"


def _page_texts(document: "Document") -> list[str]:
    """The stored text by its pages: one character stands between two that have any."""
    whole = "".join(text.canonical_text for text in document.fragments)
    texts, end = [], len(whole)
    for page in reversed(document.pages):
        # A page without text is where the next one begins, or the end.
        texts.append(whole[page.offset : end].replace("\n", " "))
        end = max(0, page.offset - 1) if texts[-1] else end
    return texts[::-1]


def _read(data: bytes) -> "tuple[str, Document | None]":
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
    document = None
    with largest_child(os.getpid(), "pdf.mjs") as peak:
        try:
            document = extract(job)
            characters = sum(len(text.canonical_text) for text in document.fragments)
            result = f"ready {len(document.pages)} pages, {characters} characters"
        except ExtractionError as error:
            result = f"{type(error).__name__} {error.code}"
    storage.delete(path)
    seconds = time.monotonic() - started
    return f"{seconds:6.1f} s {peak[0] // 2**20:5} MiB  {result}", document


if __name__ == "__main__":
    main()

"""Reading a PDF as the extractor does, with its bytes in a real store."""

import time
from uuid import uuid4

from nexus.db.enums import MediaKind
from nexus.extractors.interface import ContentsEntry, Document, Job
from nexus.extractors.pdf import extract
from nexus.storage.paths import object_path
from tests.media_states import store_bytes
from tests.patience import PATIENCE_SECONDS


def job_for(data: bytes, *, seconds: float = PATIENCE_SECONDS) -> Job:
    media_id = uuid4()
    path = object_path(media_id, "pdf", prefix="")
    store_bytes(path, data)
    deadline = time.monotonic() + seconds
    return Job(media_id, 1, MediaKind.PDF, storage_path=path, deadline=deadline)


def read(data: bytes) -> Document:
    return extract(job_for(data))


def text_of(document: Document) -> str:
    (fragment,) = document.fragments
    return fragment.canonical_text


def flat(document: Document) -> str:
    """The text as the pages have it, whatever its blocks are."""
    return text_of(document).replace("\n", " ")


def page_texts(document: Document) -> list[str]:
    """The text of each page, by where the pages begin."""
    text = flat(document)
    starts = [page.offset for page in document.pages]
    return [
        text[start:end].strip(" ") for start, end in zip(starts, [*starts[1:], None], strict=True)
    ]


def labels(entries: tuple[ContentsEntry, ...]) -> list[object]:
    return [(entry.label, labels(entry.children)) for entry in entries]

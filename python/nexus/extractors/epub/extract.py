"""The extractor of EPUBs: fetches the file, has it read, and stores its pictures."""

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any

from nexus.config import get_settings
from nexus.disk import is_disk_full
from nexus.extractors.epub.process import ReadBook, reading
from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import (
    ContentsEntry,
    Document,
    ExtractionError,
    FragmentText,
    Job,
    PageStart,
    StoredPicture,
    TextPlace,
    TransientExtractionError,
)
from nexus.extractors.web_article.metadata import validated
from nexus.html.sanitize import SanitizedHtml
from nexus.storage import StorageClient, get_storage_client
from nexus.storage.errors import (
    ObjectNotFound,
    StorageFull,
    StorageMisconfigured,
    StorageUnavailable,
)
from nexus.storage.paths import picture_path

# A remote store takes longer to respond than to receive most pictures.
_AT_ONCE = 4


def extract(job: Job) -> Document:
    """The text and the pictures of a book."""
    storage = get_storage_client(get_settings())
    with _storage_errors(), tempfile.TemporaryFile() as file:
        for chunk in storage.open_stream(job.storage_path):
            file.write(chunk)
        file.flush()
        folder = f"/media/{job.media_id}/pictures/"
        with reading(file, folder=folder, seconds=job.seconds_left()) as found:
            pictures = _store_pictures(storage, job, found)
            return _document(found, pictures)


@contextmanager
def _storage_errors() -> Iterator[None]:
    try:
        yield
    except ObjectNotFound as error:
        message = "The file of this book is no longer stored here. Upload it again."
        raise ExtractionError(message, code=FailureCode.EXTRACTION_FAILED) from error
    except StorageFull as error:
        raise ExtractionError(code=FailureCode.STORAGE_FULL) from error
    except StorageMisconfigured as error:
        message = (
            "The file store of this server is not set up correctly. Ask the person who runs it "
            "to run `nexus doctor`."
        )
        raise ExtractionError(message, code=FailureCode.EXTRACTION_FAILED) from error
    except StorageUnavailable as error:
        message = "The file store does not respond right now. Try again later."
        raise TransientExtractionError(message, code=FailureCode.EXTRACTION_FAILED) from error
    except OSError as error:
        if not is_disk_full(error):
            raise
        raise ExtractionError(code=FailureCode.STORAGE_FULL) from error


def _store_pictures(storage: StorageClient, job: Job, found: ReadBook) -> tuple[StoredPicture, ...]:
    """Each under the hash of its bytes: what an earlier attempt stored is the same."""
    prefix, lock = get_settings().storage_prefix, Lock()

    def store(picture: dict[str, Any]) -> StoredPicture:
        if job.seconds_left() <= 0:
            raise TransientExtractionError(code=FailureCode.JOB_TIMEOUT)
        with lock:
            found.pictures.seek(picture["start"])
            body = found.pictures.read(picture["length"])
        path = picture_path(job.media_id, picture["name"], prefix=prefix)
        storage.put(path, content_type=picture["content_type"], size_bytes=len(body), chunks=[body])
        return StoredPicture(path, len(body))

    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="pictures") as pool:
        return tuple(pool.map(store, found.book["pictures"]))


def _document(found: ReadBook, pictures: tuple[StoredPicture, ...]) -> Document:
    book = found.book
    start = book["start"]
    return Document(
        fragments=tuple(
            FragmentText(SanitizedHtml(each["html"]), each["text"], each["label"])
            for each in found.fragments
        ),
        title=book["title"],
        image_sizes={path: (width, height) for path, (width, height) in book["sizes"].items()},
        metadata=replace(validated(book, ""), lead_image_url=book["cover"]),
        contents=_contents(book["contents"]),
        pages=tuple(PageStart(**page) for page in book["pages"]),
        start=TextPlace(**start) if start else None,
        fixed_layout=book["fixed_layout"],
        pictures=pictures,
    )


def _contents(entries: list[dict[str, Any]]) -> tuple[ContentsEntry, ...]:
    return tuple(
        ContentsEntry(**{**entry, "children": _contents(entry["children"])}) for entry in entries
    )

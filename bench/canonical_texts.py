"""The canonical texts of real documents, as a worker makes them: pages, PDFs and books."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from bench.pages import corpus_pages, fixture_pages, serve
from nexus.config import Settings, get_settings
from nexus.db.enums import MediaKind
from nexus.extractors.interface import ExtractionError, Job
from nexus.extractors.web_article import node_client
from nexus.html.cleaning import clean_page
from nexus.services.extractors import AVAILABLE_EXTRACTORS
from nexus.storage import get_storage_client
from nexus.storage.paths import object_path

_CONTENT_TYPES = {MediaKind.PDF: "application/pdf", MediaKind.EPUB: "application/epub+zip"}


@dataclass(frozen=True, slots=True)
class Text:
    """A document by its fragments."""

    name: str
    fragments: tuple[str, ...]


def canonical_texts() -> list[Text]:
    """Those of the corpus, or of the project's own pages where there is none."""
    pages = corpus_pages() or fixture_pages()
    texts = list(_articles(pages))
    with _storage_of_its_own():
        folder = pages[0].parent
        for path in sorted([*folder.glob("pdf/*.pdf"), *folder.glob("epub/*.epub")]):
            kind = MediaKind.PDF if path.suffix == ".pdf" else MediaKind.EPUB
            texts.append(Text(path.name, _file_text(path, kind)))
    return [text for text in texts if any(text.fragments)]


def _articles(pages: list[Path]) -> Iterator[Text]:
    with serve(pages) as site:
        settings = Settings(ingest_mode="serve", allow_private_hosts=(site.host,))
        try:
            for page in pages:
                url = f"{site.origin}/quotes/{page.name}"
                article = node_client.extract(url, settings=settings)
                yield Text(page.name, (clean_page(article.content_html, article.base_url).text,))
        finally:
            node_client.stop()


@contextmanager
def _storage_of_its_own() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as data_dir:
        os.environ.update(
            NEXUS_DATA_DIR=data_dir,
            NEXUS_STORAGE="local",
            NEXUS_STORAGE_SECRET="nothing-is-signed-here-but-it-must-be-long",
        )
        get_settings.cache_clear()
        yield


def _file_text(path: Path, kind: MediaKind) -> tuple[str, ...]:
    """Nothing for a file that cannot be read."""
    data, media_id = path.read_bytes(), uuid4()
    stored = object_path(media_id, kind.value, prefix="")
    storage = get_storage_client(get_settings())
    storage.put(stored, content_type=_CONTENT_TYPES[kind], size_bytes=len(data), chunks=[data])
    job = Job(media_id, 1, kind, storage_path=stored, deadline=time.monotonic() + 110)
    try:
        return tuple(text.canonical_text for text in AVAILABLE_EXTRACTORS[kind](job).fragments)
    except ExtractionError:
        return ()

"""PDFs are read where the extractor is, also if that is elsewhere."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from nexus.config import get_settings
from nexus.extractors.interface import TransientExtractionError
from nexus.extractors.pdf.found import gather
from nexus.extractors.pdf.link import read_pdf
from nexus.storage import get_storage_client
from tests import pdf_files
from tests.extractors.pdf.reading import job_for
from tests.extractors.web_article.lighthouse import gone
from tests.extractors.web_article.listener import Listener
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.stop()


def lines(data: bytes, listener: Listener) -> Iterator[dict[str, Any]]:
    storage = get_storage_client(get_settings())
    return read_pdf(
        storage, job_for(data).storage_path, listener.settings, seconds=PATIENCE_SECONDS
    )


def test_a_file_is_read_there(listener: Listener) -> None:
    found = gather(lines(pdf_files.plain(2), listener))
    assert found.pages == [" ".join(pdf_files.page_lines(number)) for number in (1, 2)]
    wait_for(lambda: gone(listener.children()))


def test_an_extractor_that_vanishes_is_not_the_files_fault(listener: Listener) -> None:
    failures: list[BaseException] = []

    def read() -> None:
        try:
            gather(lines(pdf_files.nested_forms(), listener))
        except TransientExtractionError as error:
            failures.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    wait_for(lambda: bool(listener.children()))
    listener.process.kill()
    thread.join(PATIENCE_SECONDS)
    assert len(failures) == 1

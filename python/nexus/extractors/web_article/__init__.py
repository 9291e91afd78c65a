"""Web pages: read by a real browser in `node/ingest`, cleaned in a process of their own."""

from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import (
    AddressIsFile,
    ContentsEntry,
    Document,
    ExtractionError,
    FragmentText,
    Job,
    TransientExtractionError,
)
from nexus.extractors.web_article.metadata import validated
from nexus.extractors.web_article.node_client import WALL_CLOCK_SECONDS, Extracted
from nexus.extractors.web_article.node_client import extract as fetch
from nexus.extractors.web_article.node_errors import (
    IngestFailed,
    IngestInterrupted,
    IngestIsFile,
    IngestTimeout,
    IngestTooMuchMemory,
)
from nexus.html.cleaning import CleaningFailed, CleaningInterrupted, clean_page, warm_up
from nexus.html.outline import Heading
from nexus.logging import get_logger

logger = get_logger(__name__)


def extract(job: Job) -> Document:
    """The article of a page."""
    # The cleaner starts while the page loads.
    warm_up()
    return _clean(_fetch(job))


def _fetch(job: Job) -> Extracted:
    try:
        return fetch(job.url, timeout_seconds=min(WALL_CLOCK_SECONDS, job.seconds_left()))
    except IngestIsFile as error:
        raise AddressIsFile(str(error), url=error.url) from error
    except IngestInterrupted as error:
        raise TransientExtractionError(str(error), code=FailureCode.INGEST_FAILED) from error
    except IngestTimeout as error:
        raise ExtractionError(str(error), code=FailureCode.INGEST_TIMEOUT) from error
    except IngestTooMuchMemory as error:
        raise ExtractionError(str(error), code=FailureCode.INGEST_TOO_MUCH_MEMORY) from error
    except IngestFailed as error:
        raise ExtractionError(str(error), code=FailureCode.INGEST_FAILED) from error


def _clean(page: Extracted) -> Document:
    try:
        cleaned = clean_page(page.content_html, page.base_url, page.final_url)
    except CleaningInterrupted as error:
        raise TransientExtractionError(str(error), code=FailureCode.SANITIZATION_FAILED) from error
    except CleaningFailed as error:
        logger.warning("sanitization_failed", url=page.final_url, reason=str(error))
        raise ExtractionError(str(error), code=FailureCode.SANITIZATION_FAILED) from error
    if not cleaned.text:
        raise ExtractionError(
            "No article text was found on this page.", code=FailureCode.INGEST_FAILED
        )
    return Document(
        fragments=(FragmentText(cleaned.html, cleaned.text),),
        title=page.title,
        final_url=page.final_url,
        image_sizes=cleaned.image_sizes,
        metadata=validated(page.metadata, page.base_url),
        contents=contents_of(cleaned.headings),
    )


def contents_of(headings: list[Heading]) -> tuple[ContentsEntry, ...]:
    """The headings of an article as its table of contents."""
    return tuple(
        ContentsEntry(each.label, 0, each.offset, contents_of(each.children)) for each in headings
    )

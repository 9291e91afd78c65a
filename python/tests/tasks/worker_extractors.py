"""Given to a real worker by `--include`: one extractor that works, one that stumbles first."""

from nexus.db.enums import MediaKind
from nexus.extractors.interface import Document, Job, TransientExtractionError
from nexus.services.extractors import AVAILABLE_EXTRACTORS
from tests.queues import a_document


def extract(_job: Job) -> Document:
    return a_document()


def stumble_once(job: Job) -> Document:
    if job.attempt == 1:
        raise TransientExtractionError("The provider answered 503.")
    return a_document()


AVAILABLE_EXTRACTORS[MediaKind.PODCAST_EPISODE] = extract
AVAILABLE_EXTRACTORS[MediaKind.VIDEO] = stumble_once

"""The client of the Node extractor, which lives with the extractor of web articles."""

from nexus.extractors.web_article.node_client import Extracted, extract, stop
from nexus.extractors.web_article.node_errors import (
    IngestError,
    IngestFailed,
    IngestInterrupted,
    IngestIsFile,
    IngestTimeout,
    IngestTooMuchMemory,
)

__all__ = [
    "Extracted",
    "IngestError",
    "IngestFailed",
    "IngestInterrupted",
    "IngestIsFile",
    "IngestTimeout",
    "IngestTooMuchMemory",
    "extract",
    "stop",
]

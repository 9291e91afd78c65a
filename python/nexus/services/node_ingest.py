"""The client of the Node extractor, which lives with the extractor of web articles."""

from nexus.extractors.web_article.node_client import (
    Extracted,
    IngestError,
    IngestFailed,
    IngestTimeout,
    IngestTooMuchMemory,
    extract,
    stop,
)

__all__ = [
    "Extracted",
    "IngestError",
    "IngestFailed",
    "IngestTimeout",
    "IngestTooMuchMemory",
    "extract",
    "stop",
]

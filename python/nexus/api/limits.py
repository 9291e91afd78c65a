"""Limits that a client should know in advance, in the OpenAPI document as `x-limits`."""

from typing import Any

from nexus.auth import passwords
from nexus.egress.url_parse import MAX_URL_LENGTH
from nexus.extractors.kinds import KINDS
from nexus.schemas.base import MAX_NAME_LENGTH
from nexus.schemas.highlights import MAX_NOTE_LENGTH
from nexus.services.file_kinds import MAX_FILENAME_LENGTH
from nexus.services.highlight_span import CONTEXT_LENGTH
from nexus.services.media_lifecycle import MAX_ATTEMPTS
from nexus.services.pagination import MAX_LIMIT


def limits() -> dict[str, Any]:
    """Lengths count code points."""
    return {
        "attempts": MAX_ATTEMPTS,
        "context_length": CONTEXT_LENGTH,
        "filename_length": MAX_FILENAME_LENGTH,
        "name_length": MAX_NAME_LENGTH,
        "note_length": MAX_NOTE_LENGTH,
        "page_size": MAX_LIMIT,
        "password_min_length": passwords.MIN_LENGTH,
        "url_length": MAX_URL_LENGTH,
        "files": {
            kind.kind.value: {
                "name": kind.file.name,
                "extension": kind.file.extension,
                "content_type": kind.file.content_type,
                "max_bytes": kind.file.max_bytes,
            }
            for kind in KINDS.values()
            if kind.file is not None
        },
    }

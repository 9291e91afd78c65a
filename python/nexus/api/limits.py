"""Limits that a client should know in advance, in the OpenAPI document as `x-limits`."""

from typing import Any

from nexus.auth import passwords
from nexus.egress.url_parse import MAX_URL_LENGTH
from nexus.extractors.kinds import KINDS
from nexus.schemas.base import MAX_NAME_LENGTH
from nexus.schemas.exports import MAX_EXPORTED_BY_ID, MAX_TEMPLATE_CHARACTERS
from nexus.schemas.highlights import MAX_NOTE_LENGTH
from nexus.schemas.imports import MAX_IMPORT_BYTES
from nexus.schemas.shelf import MAX_TAGS_PER_ITEM
from nexus.services.file_kinds import MAX_FILENAME_LENGTH
from nexus.services.highlight_span import CONTEXT_LENGTH
from nexus.services.media_lifecycle import MAX_ATTEMPTS
from nexus.services.pagination import MAX_LIMIT


def limits() -> dict[str, Any]:
    """Lengths count code points."""
    return {
        "attempts": MAX_ATTEMPTS,
        "context_length": CONTEXT_LENGTH,
        "exported_by_id": MAX_EXPORTED_BY_ID,
        "filename_length": MAX_FILENAME_LENGTH,
        "import_bytes": MAX_IMPORT_BYTES,
        "name_length": MAX_NAME_LENGTH,
        "note_length": MAX_NOTE_LENGTH,
        "page_size": MAX_LIMIT,
        "tags_per_item": MAX_TAGS_PER_ITEM,
        "template_length": MAX_TEMPLATE_CHARACTERS,
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

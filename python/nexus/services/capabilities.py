"""What a reader can do with an item, as one pure function."""

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.extractors.failures import FailureCode
from nexus.extractors.kinds import FILE_KINDS, KINDS
from nexus.schemas.media import Capabilities

READABLE = frozenset(
    {ProcessingStatus.READY_FOR_READING, ProcessingStatus.EMBEDDING, ProcessingStatus.READY}
)

_CANNOT_BE_OPENED = frozenset({FailureCode.PDF_PASSWORD, FailureCode.PDF_INVALID})


def derive_capabilities(
    *,
    kind: MediaKind,
    status: ProcessingStatus,
    last_error_code: str | None,
    has_file: bool,
    has_playback_url: bool,
    has_words: bool = True,
) -> Capabilities:
    """The whole capability table. Whether the viewer may see the item is decided before."""
    readable_text = status in READABLE
    # A stored PDF renders before its text is extracted, unless nothing can open it.
    opens = has_file and last_error_code not in _CANNOT_BE_OPENED
    can_read = opens if KINDS[kind].readable_as_file else readable_text
    # What plays elsewhere plays at once, with or without a transcript of ours.
    no_transcript = (
        status == ProcessingStatus.FAILED and last_error_code == FailureCode.TRANSCRIPT_UNAVAILABLE
    )
    playable = KINDS[kind].plays_elsewhere or readable_text or no_transcript
    # The text of a file exists once it is extracted, if it has any: scans and comics read without.
    # Every other kind needs text to be read at all.
    has_text = can_read and readable_text and (has_words or kind not in FILE_KINDS)
    return Capabilities(
        can_read=can_read,
        can_highlight=has_text,
        can_quote=has_text,
        can_search=has_text,
        can_play=has_playback_url and playable,
        can_download_file=has_file,
    )

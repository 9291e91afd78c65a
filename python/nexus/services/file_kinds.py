"""The kinds of file that can be uploaded, and how to tell a real one from its name alone."""

from dataclasses import dataclass

from nexus.db.enums import MediaKind
from nexus.db.models import Media
from nexus.errors import InvalidRequestError, TooLargeError
from nexus.storage.errors import in_megabytes

_MIB = 1024 * 1024
HEAD_BYTES = 128


@dataclass(frozen=True, slots=True)
class FileKind:
    kind: MediaKind
    name: str
    extension: str
    content_type: str
    max_bytes: int


_FILE_KINDS = {
    file_kind.kind.value: file_kind
    for file_kind in (
        FileKind(MediaKind.PDF, "PDF", "pdf", "application/pdf", 100 * _MIB),
        FileKind(MediaKind.EPUB, "EPUB", "epub", "application/epub+zip", 50 * _MIB),
    )
}


FILE_KINDS = frozenset(file_kind.kind for file_kind in _FILE_KINDS.values())


def all_file_kinds() -> list[FileKind]:
    """Every kind of file that can be uploaded, the largest first."""
    return sorted(_FILE_KINDS.values(), key=lambda kind: kind.max_bytes, reverse=True)


def file_kind(kind: str) -> FileKind:
    found = _FILE_KINDS.get(kind)
    if found is None:
        raise InvalidRequestError(
            f"kind: must be one of {', '.join(_FILE_KINDS)}", code="E_INVALID_KIND"
        )
    return found


def awaits_upload(media: Media) -> bool:
    """Whether the item's bytes have yet to come; until then there is nothing to extract."""
    return media.kind in FILE_KINDS and media.file_sha256 is None


def check_announced_file(
    kind: FileKind, *, filename: str, content_type: str, size_bytes: int, storage_limit: int | None
) -> None:
    """Refuse what cannot become this kind of file, before a byte is sent."""
    if content_type.partition(";")[0].strip().lower() != kind.content_type:
        raise InvalidRequestError(f"content_type: must be {kind.content_type} for {kind.name}")
    if not filename.lower().endswith(f".{kind.extension}") or "/" in filename or "\\" in filename:
        raise InvalidRequestError(f"filename: must be a plain name that ends in .{kind.extension}")
    if len(filename) > 255:
        raise InvalidRequestError("filename: at most 255 characters")
    if size_bytes < 1:
        raise InvalidRequestError("size_bytes: the file is empty")
    if size_bytes > kind.max_bytes:
        raise TooLargeError(
            f"{kind.name} files can have at most {kind.max_bytes // _MIB} MiB.",
            code="E_FILE_TOO_LARGE",
        )
    if storage_limit is not None and size_bytes > storage_limit:
        accepts = in_megabytes(storage_limit)
        raise TooLargeError(
            f"This file is too large, the storage accepts {accepts}.", code="E_FILE_TOO_LARGE"
        )


def has_right_magic(kind: FileKind, head: bytes) -> bool:
    """Whether the first bytes are those of such a file."""
    if kind.kind is MediaKind.PDF:
        return head.startswith(b"%PDF-")
    return _starts_like_epub(head)


def _starts_like_epub(head: bytes) -> bool:
    """A zip whose first entry is `mimetype`, stored, holding application/epub+zip."""
    name, content = b"mimetype", b"application/epub+zip"
    if len(head) < 30 or not head.startswith(b"PK\x03\x04"):
        return False
    stored = head[8:10] == b"\x00\x00"
    name_length = int.from_bytes(head[26:28], "little")
    extra_length = int.from_bytes(head[28:30], "little")
    start = 30 + name_length + extra_length
    return stored and head[30 : 30 + name_length] == name and head[start:].startswith(content)

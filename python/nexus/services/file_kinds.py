"""Which files can be uploaded: by their kind, name, type and size."""

from nexus.db.models import Media
from nexus.errors import InvalidRequestError, TooLargeError
from nexus.extractors.file_types import FileType
from nexus.extractors.kinds import FILE_KINDS, KINDS
from nexus.storage.errors import in_megabytes

_MIB = 1024 * 1024
MAX_FILENAME_LENGTH = 255
_FILES = {kind.kind.value: kind.file for kind in KINDS.values() if kind.file is not None}


def all_file_types() -> list[FileType]:
    """Every type of file that can be uploaded, the largest first."""
    return sorted(_FILES.values(), key=lambda file: file.max_bytes, reverse=True)


def file_type(kind: str) -> FileType:
    found = _FILES.get(kind)
    if found is None:
        raise InvalidRequestError(
            f"kind: must be one of {', '.join(_FILES)}", code="E_INVALID_KIND"
        )
    return found


def awaits_upload(media: Media) -> bool:
    """Whether the item's file has yet to arrive; until then there is nothing to extract."""
    return media.kind in FILE_KINDS and media.file_sha256 is None


def check_announced_file(
    file: FileType, *, filename: str, content_type: str, size_bytes: int, storage_limit: int | None
) -> None:
    """Refuse what cannot become this type of file, before a byte is sent."""
    if content_type.partition(";")[0].strip().lower() != file.content_type:
        raise InvalidRequestError(f"content_type: must be {file.content_type} for {file.name}")
    if not filename.lower().endswith(f".{file.extension}") or "/" in filename or "\\" in filename:
        raise InvalidRequestError(f"filename: must be a plain name that ends in .{file.extension}")
    if len(filename) > MAX_FILENAME_LENGTH:
        raise InvalidRequestError(f"filename: at most {MAX_FILENAME_LENGTH} characters")
    if size_bytes < 1:
        raise InvalidRequestError("size_bytes: the file is empty")
    if size_bytes > file.max_bytes:
        raise TooLargeError(
            f"{file.name} files can be at most {file.max_bytes // _MIB} MiB.",
            code="E_FILE_TOO_LARGE",
        )
    if storage_limit is not None and size_bytes > storage_limit:
        accepts = in_megabytes(storage_limit)
        raise TooLargeError(
            f"This file is too large; the storage accepts {accepts}.", code="E_FILE_TOO_LARGE"
        )

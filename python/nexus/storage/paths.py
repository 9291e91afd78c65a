"""The paths objects are stored under, and the only characters such a path may have."""

import re
from uuid import UUID

from nexus.picture_types import PICTURE_TYPES
from nexus.storage.errors import InvalidPath

# No leading dot: rules out `.` and `..`, and keeps the backend's own hidden files out of reach.
_SEGMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_EXTENSION = re.compile(r"[a-z0-9]{1,8}")
_MAX_SEGMENTS = 16

_CONTENT_TYPES = {
    "pdf": "application/pdf",
    "epub": "application/epub+zip",
    **{extension: content_type for content_type, extension in PICTURE_TYPES.items()},
}


def object_path(media_id: UUID, ext: str, *, prefix: str) -> str:
    """`{prefix}media/{media_id}/original.{ext}`; the prefix is `settings.storage_prefix`."""
    if not _EXTENSION.fullmatch(ext):
        raise InvalidPath(f"not a file extension: {ext!r}")
    return f"{item_folder(media_id, prefix=prefix)}/original.{ext}"


def item_folder(media_id: UUID, *, prefix: str) -> str:
    """The folder with everything that is stored for an item."""
    return f"{media_folder(prefix=prefix)}/{media_id}"


def picture_path(media_id: UUID, name: str, *, prefix: str) -> str:
    """`{prefix}media/{media_id}/pictures/{name}`; the name is the hash of its bytes."""
    return f"{item_folder(media_id, prefix=prefix)}/pictures/{name}"


def import_path(import_id: UUID, *, prefix: str) -> str:
    """`{prefix}imports/{import_id}`: a file with documents that an import still needs."""
    return f"{imports_folder(prefix=prefix)}/{import_id}"


def imports_folder(*, prefix: str) -> str:
    """The folder with the files of imports."""
    return "/".join([*split_prefix(prefix), "imports"])


def media_folder(*, prefix: str) -> str:
    """The folder with a folder for each item."""
    return "/".join([*split_prefix(prefix), "media"])


def split_path(path: str) -> tuple[str, ...]:
    """The segments of an object's path, or InvalidPath."""
    segments = tuple(path.split("/"))
    if len(segments) > _MAX_SEGMENTS or not all(map(is_segment, segments)):
        raise InvalidPath(f"not a storage path: {path[:200]!r}")
    return segments


def split_prefix(prefix: str) -> tuple[str, ...]:
    """The segments of a folder, with or without its closing slash; none for the empty prefix."""
    return split_path(prefix.removesuffix("/")) if prefix else ()


def required_prefix(prefix: str) -> tuple[str, ...]:
    """The segments of a folder that is about to be emptied: never the whole storage."""
    segments = split_prefix(prefix)
    if not segments:
        raise InvalidPath("an empty prefix would delete everything")
    return segments


def is_segment(name: str) -> bool:
    """Whether a name may stand between two slashes of a path."""
    return _SEGMENT.fullmatch(name) is not None


def content_type_of(path: str) -> str:
    """The type an object is served with. Its extension decides, never the client."""
    return _CONTENT_TYPES.get(path.rpartition(".")[2], "application/octet-stream")

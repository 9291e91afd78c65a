"""Types of file that can be uploaded, and how to tell a real one from its name alone."""

from collections.abc import Callable
from dataclasses import dataclass

# How much of a file is needed to tell what it is.
HEAD_BYTES = 128


@dataclass(frozen=True, slots=True)
class FileType:
    name: str
    extension: str
    content_type: str
    max_bytes: int
    looks_right: Callable[[bytes], bool]
    """Whether the first bytes are those of such a file."""


def starts_like_pdf(head: bytes) -> bool:
    return head.startswith(b"%PDF-")


def starts_like_epub(head: bytes) -> bool:
    """A zip whose first entry is `mimetype`, stored, holding application/epub+zip."""
    name, content = b"mimetype", b"application/epub+zip"
    if len(head) < 30 or not head.startswith(b"PK\x03\x04"):
        return False
    stored = head[8:10] == b"\x00\x00"
    name_length = int.from_bytes(head[26:28], "little")
    extra_length = int.from_bytes(head[28:30], "little")
    start = 30 + name_length + extra_length
    return stored and head[30 : 30 + name_length] == name and head[start:].startswith(content)

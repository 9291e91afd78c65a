"""The pictures of a book: each kept once, known by the hash of its bytes."""

import base64
import binascii
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO
from urllib.parse import unquote_to_bytes

from nexus.errors import ApiError
from nexus.extractors.epub.archive import Archive
from nexus.extractors.epub.problems import TooComplexBook
from nexus.html.image_sizes import Size
from nexus.images.inspect import PixelLimits, image_form
from nexus.picture_types import PICTURE_TYPES
from nexus.zips.problems import UnreadableEntry
from nexus.zips.reader import MAX_DOCUMENT

MAX_PICTURES = 10_000
# Scanned maps and plates. Decoded, the largest takes a browser 160 MB.
LIMITS = PixelLimits(side=16_384, pixels=40_000_000)


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture in the spool."""

    name: str
    content_type: str
    start: int
    length: int
    size: Size


class Pictures:
    """Checks pictures as those of web pages are checked, and writes them into the spool."""

    def __init__(self, archive: Archive, spool: BinaryIO, folder: str) -> None:
        self._archive = archive
        self._spool = spool
        self._folder = folder
        self._known: dict[str, str | None] = {}
        self._kept: dict[str, Kept] = {}
        self._end = 0

    def kept(self) -> list[Kept]:
        return list(self._kept.values())

    def sizes(self) -> dict[str, Size]:
        """By the paths that the pictures have in the text."""
        return {path: kept.size for path, kept in self._kept.items()}

    def __contains__(self, path: object) -> bool:
        return path in self._kept

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def path_of(self, name: str) -> str | None:
        """Where the picture in this file is shown from; None if it cannot be shown."""
        if name not in self._known:
            try:
                self._known[name] = self._keep(self._archive.read(name, most=MAX_DOCUMENT))
            except UnreadableEntry:
                self._known[name] = None
        return self._known[name]

    def path_of_data(self, address: str) -> str | None:
        """The same for a picture that stands in the address itself."""
        head, _, content = address.partition(",")
        try:
            plain = unquote_to_bytes(content)
            return self._keep(base64.b64decode(plain) if head.endswith(";base64") else plain)
        except (binascii.Error, ValueError):
            return None

    def _keep(self, body: bytes) -> str | None:
        try:
            form = image_form(body, LIMITS)
        except ApiError:
            return None
        name = f"{hashlib.sha256(body).hexdigest()}.{PICTURE_TYPES[form.content_type]}"
        path = self._folder + name
        if path not in self._kept:
            if len(self._kept) >= MAX_PICTURES:
                raise TooComplexBook(f"This EPUB has more than {MAX_PICTURES:,} pictures.")
            self._spool.write(body)
            size = form.width, form.height
            self._kept[path] = Kept(name, form.content_type, self._end, len(body), size)
            self._end += len(body)
        return path

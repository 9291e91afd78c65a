"""The zip a book is packed in, with the addresses that its files use for each other."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO
from urllib.parse import unquote

from nexus.extractors.epub.problems import InvalidBook, TooComplexBook
from nexus.zips.problems import NotAZip, ZipTooLarge
from nexus.zips.reader import ZipReader, joined


class Archive(ZipReader):
    """The files of a book by their names."""

    called = "EPUB"

    def linked(self, base: str, path: str) -> str | None:
        """The file that a relative address in another file leads to."""
        for candidate in dict.fromkeys((unquote(path), path)):
            found = self.find(joined(base, candidate))
            if found is not None:
                return found
        return None


@contextmanager
def opened_archive(file: BinaryIO) -> Iterator[Archive]:
    """The archive in a file; what is left of it, if its directory is damaged."""
    try:
        with Archive.opened(file) as archive:
            yield archive
    except NotAZip:
        message = "This file is not a zip archive, which every EPUB is."
        raise InvalidBook(message) from None
    except ZipTooLarge as error:
        raise TooComplexBook(str(error)) from None

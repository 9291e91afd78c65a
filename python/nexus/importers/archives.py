"""Archives to import, and the files inside them."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, BinaryIO, cast

from nexus.importers.items import shortened
from nexus.importers.records import InvalidFile, Skipped
from nexus.zips.problems import NotAZip, UnreadableEntry, ZipTooLarge
from nexus.zips.reader import ZipReader

_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_IN_MEMORY = 1024 * 1024

ENTRY_DAMAGED = "This file in the archive is damaged; what could be read was taken."


def is_zip(head: bytes) -> bool:
    return head.startswith(_SIGNATURES)


class _ImportedZip(ZipReader):
    takes_damaged = True


@contextmanager
def opened_zip(file: BinaryIO) -> Iterator[ZipReader]:
    """The archive in a file; InvalidFile if it is none, or beyond the limits."""
    try:
        with _ImportedZip.opened(file) as archive:
            yield archive
    except (NotAZip, ZipTooLarge) as error:
        raise InvalidFile(str(error)) from None


@contextmanager
def unpacked(archive: ZipReader, name: str) -> Iterator[tuple[BinaryIO, list[Skipped]]]:
    """A file inside, which can be read more than once; what is left of it, if it is damaged."""
    problems = []
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
        try:
            with archive.open(name) as stream:
                shutil.copyfileobj(stream, spool)
        except UnreadableEntry:
            spool.seek(0)
            spool.truncate()
            with suppress(NotAZip, UnreadableEntry):
                spool.write(archive.rest_of(name))
            problems.append(Skipped(0, shortened(name), ENTRY_DAMAGED))
        spool.seek(0)
        yield cast(BinaryIO, spool), problems


@contextmanager
def opened_member(file: BinaryIO, member: str) -> Iterator[IO[bytes]]:
    """The bytes of an item's own file, as ImportedItem names it, in one pass from its beginning.

    InvalidFile if it is not there, is damaged, or is beyond the limits.
    """
    with opened_zip(file) as archive:
        name = archive.find(member)
        if name is None:
            raise InvalidFile("The file of this item is missing in the archive.")
        try:
            with archive.open(name) as stream:
                yield stream
        except UnreadableEntry as error:
            raise InvalidFile(str(error)) from None

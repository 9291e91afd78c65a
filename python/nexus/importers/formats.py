"""The formats that can be imported, and which of them a file is in: by its content, never its name.

    found = detect(file)                 # None: nothing fits
    for record in found.read(file): ...  # ImportedItem or Skipped, as the file is read

The file is open, binary and seekable, and stays open. Reading raises InvalidFile if nothing can be
read at all; what was readable before the damage has been returned by then.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from nexus.importers import (
    hypothesis,
    instapaper,
    karakeep,
    kindle,
    linkwarden,
    matter,
    netscape,
    nexus,
    omnivore,
    pinboard,
    pocket,
    raindrop,
    readwise,
    readwise_reader,
    w3c,
    wallabag,
)
from nexus.importers.peek import Peek, peeked
from nexus.importers.records import Record


class Importer(Protocol):
    """What the module of a format has."""

    def fits(self, peek: Peek) -> bool:
        """Whether a file that begins like this is in this format."""

    def read(self, file: BinaryIO) -> Iterator[Record]:
        """The records of a file that fits, one after the other."""


@dataclass(frozen=True)
class Format:
    name: str
    label: str
    """What people call it."""
    importer: Importer

    def read(self, file: BinaryIO) -> Iterator[Record]:
        file.seek(0)
        return self.importer.read(file)


# In the order in which they are tried: the first that fits.
FORMATS: tuple[Format, ...] = (
    Format("nexus", "Nexus", nexus),
    Format("pocket", "Pocket", pocket),
    Format("omnivore", "Omnivore", omnivore),
    Format("matter", "Matter", matter),
    Format("netscape", "Bookmarks", netscape),
    Format("linkwarden", "Linkwarden", linkwarden),
    Format("karakeep", "Karakeep", karakeep),
    Format("hypothesis", "Hypothesis", hypothesis),
    Format("w3c", "Web Annotations", w3c),
    Format("wallabag", "wallabag", wallabag),
    Format("pinboard", "Pinboard", pinboard),
    Format("raindrop", "Raindrop", raindrop),
    Format("instapaper", "Instapaper", instapaper),
    Format("readwise_reader", "Readwise Reader", readwise_reader),
    Format("readwise", "Readwise", readwise),
    Format("kindle", "Kindle clippings", kindle),
)

BY_NAME = {format.name: format for format in FORMATS}


def detect(file: BinaryIO) -> Format | None:
    """The format of a file; None if nothing fits."""
    with peeked(file) as peek:
        return next((format for format in FORMATS if format.importer.fits(peek)), None)

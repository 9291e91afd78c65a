"""The response with which an item opens."""

from nexus.schemas.base import ResponseModel
from nexus.schemas.highlights import HighlightOut
from nexus.schemas.media import FileUrlOut, FragmentOut, MediaOut, OutlineOut
from nexus.schemas.reading import PositionOut, PreferencesOut


class OpeningOut(ResponseModel):
    """All that is on the screen when an item opens. What does not apply to it is `null`."""

    media: MediaOut
    fragment: FragmentOut | None
    """The part one reads: of a book the one with the viewer's place, else the first of its text."""
    outline: OutlineOut | None
    """Of books and PDFs."""
    file: FileUrlOut | None
    """Of PDFs."""
    highlights: list[HighlightOut]
    """The viewer's own, with their notes, in reading order."""
    position: PositionOut | None
    preferences: PreferencesOut | None

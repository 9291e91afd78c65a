"""What search returns."""

from typing import Literal
from uuid import UUID

from nexus.schemas.base import ResponseModel
from nexus.schemas.media import MediaListItem

ResultType = Literal["item", "passage", "highlight", "note"]


class SnippetOut(ResponseModel):
    text: str
    hits: list[tuple[int, int]]
    """Half-open ranges of the text, in code points."""


class SearchResult(ResponseModel):
    type: ResultType
    media: MediaListItem
    fragment_id: UUID | None
    """Null for an item found by its title, author, site or tags."""
    start_offset: int | None
    end_offset: int | None
    """Where in the fragment, in code points."""
    highlight_id: UUID | None
    """Of a highlight, or of the highlight that a note belongs to."""
    snippet: SnippetOut


class SearchResults(ResponseModel):
    results: list[SearchResult]
    """The best first."""
    next_cursor: str | None

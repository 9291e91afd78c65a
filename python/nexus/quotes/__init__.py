"""Finding quotes from elsewhere in canonical texts: surely, or not at all.

`Document` makes a text ready once, `Search` finds the places a quote may be at and chooses one;
with `likely` ranges later, when other quotes of the document have shown where it should be.
"""

from collections.abc import Sequence

from nexus.quotes.cut import find_cut
from nexus.quotes.deciding import Search
from nexus.quotes.document import Document
from nexus.quotes.records import Match, Quote, Range

__all__ = ["Document", "Match", "Quote", "Range", "Search", "find"]


def find(document: Document, quote: Quote, likely: Sequence[Range] = ()) -> Match | None:
    """Where the quote is, if that is sure."""
    return Search(document, quote).choose(likely) or find_cut(document, quote)

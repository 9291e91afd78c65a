"""The query language of search: words, "phrases", exclusion, prefixes and filters.

    climate report          both words, in any form
    "climate report"        these words, next to each other
    -draft -"old report"    without
    clim*                   words that begin with it; so does the last word while it is typed
    tag:work in:title       filters, see `query_filters`

Words alone are always understood: a quote without its other end, an operator without a word, any
character of Unicode. What cannot be understood is a filter with a value that it does not have.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from nexus.search.query_filters import Filters, FiltersReader, invalid
from nexus.search.words import Word, query_words

MAX_LENGTH = 1_000
MAX_WORDS = 50
"""Of a whole pasted paragraph, the first words are enough to find it."""

_QUOTES = str.maketrans(dict.fromkeys("“”„‟″«»＂", '"'))
# What is copied from a text may have a dash before anything: `-.4` or `-)` excludes nothing.
_CHUNK = re.compile(
    r'(?P<without>-(?=["\w#@]))?'
    r"(?:(?P<filter>tag|in|kind|site|author|is|before|after):(?=[^\s]))?"
    r'(?:"(?P<quoted>[^"]*)(?P<closed>"?)|(?P<bare>[^\s"]+))',
    re.IGNORECASE,
)


class QueryWord(NamedTuple):
    """A word to look for."""

    text: str
    form: str | None
    """As a dictionary takes it; None where words have no forms."""
    position: int
    """Within its term: the words of a phrase have the same distances in the text."""
    prefix: bool = False


class Term(NamedTuple):
    """A word, or several that must be next to each other."""

    words: tuple[QueryWord, ...]
    exact: bool = False
    """Quoted: in this form only."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a person looks for."""

    terms: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()
    filters: Filters = field(default_factory=Filters)

    @property
    def is_empty(self) -> bool:
        """Nothing to look for: neither a word nor a filter."""
        return not self.terms and not self.excluded and self.filters == Filters()


def parse_query(text: str) -> Query:
    """The query that a text means; `E_SEARCH_INVALID` if it means none."""
    if len(text) > MAX_LENGTH:
        raise invalid(f"Search for at most {MAX_LENGTH:,} characters.")
    text = text.translate(_QUOTES)
    terms: list[Term] = []
    excluded: list[Term] = []
    filters = FiltersReader()
    for chunk in _CHUNK.finditer(text):
        value = chunk["bare"] if chunk["quoted"] is None else chunk["quoted"]
        without = chunk["without"] is not None
        if chunk["filter"]:
            filters.add(chunk["filter"].lower(), value, without=without)
            continue
        # While one types, the last word is not at its end yet.
        typing = chunk.end() == len(text) and not without and not chunk["closed"]
        term = read_term(
            value,
            exact=chunk["quoted"] is not None,
            prefix=typing or (chunk["bare"] or "").endswith("*"),
        )
        (excluded if without else terms).append(term)
    return Query(_bounded(terms), _bounded(excluded), filters.read())


def read_term(text: str, *, exact: bool = False, prefix: bool = False) -> Term:
    """The words of a piece of text, next to each other."""
    words = query_words(text)
    last = len(words) - 1
    return Term(
        tuple(
            _query_word(position - words[0][0], word, prefix=prefix and number == last)
            for number, (position, word) in enumerate(words)
        ),
        exact,
    )


def _query_word(position: int, word: Word, *, prefix: bool) -> QueryWord:
    # One character of an unspaced script is found as the beginning of a pair.
    alone = word.form is None and len(word.text) == 1
    return QueryWord(word.text, word.form, position, prefix or alone)


def _bounded(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The terms with words in them, up to the limit of words; none twice."""
    kept: list[Term] = []
    room = MAX_WORDS
    for term in dict.fromkeys(terms):
        words = term.words[:room]
        if words:
            kept.append(term._replace(words=words))
            room -= len(words)
    return tuple(kept)

"""Queries as Postgres understands them.

A word is found by its lexemes, any of them: itself and, unless it is quoted, its stem. Words are
folded and consist of letters, digits and marks alone, so nothing in them is an operator.
"""

from collections.abc import Callable, Iterable, Sequence

from nexus.search.matching import Wanted
from nexus.search.query import QueryWord, Term

Lexemes = Callable[[QueryWord], Iterable[str]]
"""The stems of a word that is not quoted."""

MIN_PREFIX = 3
"""Shorter beginnings are those of so many words that all of them cannot be looked at."""


def with_positions(
    terms: Sequence[Term], excluded: Sequence[Term], lexemes: Lexemes, *, weights: str = ""
) -> str:
    """All terms, their words in the right places, and none of those excluded."""
    parts = [_term(term, lexemes, weights) for term in terms]
    parts += [f"!({_term(term, lexemes, weights)})" for term in excluded]
    return " & ".join(parts)


def without_positions(
    terms: Sequence[Term], excluded: Sequence[Term], lexemes: Lexemes, *, prefixes: bool
) -> str:
    """What an index can decide by itself: it does not know where words are.

    Empty if that is nothing. Everything that matches the query with positions matches this one.
    """
    parts = [
        _word(word, term, lexemes, "")
        for term in terms
        for word in term.words
        if prefixes or not word.prefix
    ]
    parts += [
        f"!({_term(term, lexemes, '')})"
        for term in excluded
        if len(term.words) == 1 and not term.words[0].prefix
    ]
    return " & ".join(dict.fromkeys(parts))


def wanted(terms: Iterable[Term], lexemes: Lexemes) -> list[Wanted]:
    """The words of the terms, for finding them in a text; none twice."""
    found = [
        Wanted(_lexemes(word, term, lexemes), word.text if word.prefix else None)
        for term in terms
        for word in term.words
    ]
    return list(dict.fromkeys(found))


def _term(term: Term, lexemes: Lexemes, weights: str) -> str:
    query, last = "", 0
    for word in term.words:
        if query:
            query += f" <{word.position - last}> "
        query += _word(word, term, lexemes, weights)
        last = word.position
    return query if len(term.words) == 1 else f"({query})"


def _word(word: QueryWord, term: Term, lexemes: Lexemes, weights: str) -> str:
    label = f":{weights}" if weights else ""
    alternatives = [f"'{lexeme}'{label}" for lexeme in sorted(_lexemes(word, term, lexemes))]
    if word.prefix:
        alternatives.append(f"'{word.text}':*{weights}")
    return alternatives[0] if len(alternatives) == 1 else f"({' | '.join(alternatives)})"


def _lexemes(word: QueryWord, term: Term, lexemes: Lexemes) -> frozenset[str]:
    if term.exact or word.form is None:
        return frozenset({word.text})
    return frozenset({word.text, *lexemes(word)})

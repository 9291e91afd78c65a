"""A query as the statements of search need it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from nexus.search.dictionaries import NO_STEMS
from nexus.search.matching import Wanted
from nexus.search.query import Query, QueryWord, Term
from nexus.search.stems import lexemes_by_dictionary
from nexus.search.tsqueries import MIN_PREFIX, wanted, with_positions, without_positions
from nexus.search.words import Word

_Known = Mapping[QueryWord, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class SearchWords:
    """What is looked for: each document is searched with the stems of its own dictionary."""

    query: Query
    _lexemes: _Known

    def by_dictionary(self) -> dict[str, str]:
        """The query for documents of each dictionary. Most have the same stems of most words."""
        names = {NO_STEMS, *(name for lexemes in self._lexemes.values() for name in lexemes)}
        known: dict[tuple[tuple[str, ...], ...], str] = {}
        queries = {}
        for name in names:
            stems = tuple(
                lexemes.get(name, lexemes[NO_STEMS]) for lexemes in self._lexemes.values()
            )
            if stems not in known:
                known[stems] = with_positions(
                    self.query.terms,
                    self.query.excluded,
                    lambda word, name=name: self._of(word, name),  # type: ignore[misc]
                )
            queries[name] = known[stems]
        return queries

    def anywhere(self, *, weights: str = "") -> str:
        """For what is in any language."""
        return with_positions(self.query.terms, self.query.excluded, self._of_all, weights=weights)

    def by_index(self) -> str:
        """What the index of passages decides. The beginning of too many words is a whole word."""
        terms = [
            term._replace(words=tuple(_without_short_prefix(word) for word in term.words))
            for term in self.query.terms
        ]
        return without_positions(terms, self.query.excluded, self._of_all, prefixes=True)

    @property
    def has_short_prefix(self) -> bool:
        """Whether the index finds less than what is looked for."""
        return any(
            word.prefix and _is_short(word) for term in self.query.terms for word in term.words
        )

    def phrase(self) -> str | None:
        """All words one after the other, as somebody who copied them means it."""
        words = [(word, term) for term in self.query.terms for word in term.words]
        if len(words) < 2:
            return None
        together, position = [], 0
        for term in self.query.terms:
            together += [word._replace(position=position + word.position) for word in term.words]
            position = together[-1].position + 1
        return with_positions([Term(tuple(together))], [], lambda word: self._of_all(word))

    def excluded(self) -> str:
        """What must not be in an item at all."""
        return self._any_of(self.query.excluded)

    def excluded_words(self) -> str:
        """Those of it that an index can decide."""
        return self._any_of(term for term in self.query.excluded if len(term.words) == 1)

    def excluded_phrases(self) -> str:
        """Those of it for which texts are looked at."""
        return self._any_of(term for term in self.query.excluded if len(term.words) > 1)

    def _any_of(self, terms: Iterable[Term]) -> str:
        return " | ".join(with_positions([term], [], self._of_all) for term in terms)

    def wanted(self, dictionary: str | None = None) -> list[Wanted]:
        """For finding the words in a text of this dictionary, or of any."""
        if dictionary is None:
            return wanted(self.query.terms, self._of_all)
        return wanted(self.query.terms, lambda word: self._of(word, dictionary))

    def _of(self, word: QueryWord, dictionary: str) -> tuple[str, ...]:
        lexemes = self._lexemes[_key(word)]
        return lexemes.get(dictionary, lexemes[NO_STEMS])

    def _of_all(self, word: QueryWord) -> tuple[str, ...]:
        lexemes = self._lexemes[_key(word)]
        return tuple({lexeme for found in lexemes.values() for lexeme in found})


def search_words(session: Session, query: Query) -> SearchWords:
    """Look up the stems of the words of a query."""
    words = [_key(word) for term in (*query.terms, *query.excluded) for word in term.words]
    words = list(dict.fromkeys(words))
    found = lexemes_by_dictionary(session, [Word(word.text, word.form, 0, 0) for word in words])
    return SearchWords(query, dict(zip(words, found, strict=True)))


def _key(word: QueryWord) -> QueryWord:
    return word._replace(position=0, prefix=False)


def _without_short_prefix(word: QueryWord) -> QueryWord:
    return word._replace(prefix=False) if _is_short(word) else word


def _is_short(word: QueryWord) -> bool:
    # Two characters of an unspaced script are whole already.
    return word.form is not None and len(word.text) < MIN_PREFIX

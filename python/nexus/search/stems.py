"""Stems of words, found by Postgres' dictionaries.

A dictionary gets a word with its accents, because endings depend on them, and once more without, as
many people type it. Stop words have no stem: they are found as they are.
"""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import ARRAY, Text, bindparam, text
from sqlalchemy.orm import Session

from nexus.db.direct import Direct
from nexus.search.dictionaries import NO_STEMS, dictionary_of_word
from nexus.search.words import Spelling, Word, fold

Lexemes = tuple[str, ...]
_ByDictionary = Mapping[str, Lexemes]

_STEMS = """
    SELECT dictionary.dictname, word, ts_lexize(dictionary.oid, word)
    FROM pg_ts_dict dictionary
    JOIN pg_ts_template template ON template.oid = dictionary.dicttemplate
    CROSS JOIN unnest(:words) word
    WHERE dictionary.dictnamespace = 'pg_catalog'::regnamespace AND template.tmplname = 'snowball'
"""
_WORDS = bindparam("words", type_=ARRAY(Text))
_IN_ALL = Direct(text(_STEMS).bindparams(_WORDS))
_IN_SOME = Direct(
    text(f"{_STEMS} AND dictionary.dictname = ANY(:names)").bindparams(
        _WORDS, bindparam("names", type_=ARRAY(Text))
    )
)

_MOST_KNOWN = 20_000
_known: dict[str, _ByDictionary] = {}
_of_documents: dict[str, dict[str, Lexemes]] = {}


class DocumentStems:
    """The lexemes of the words of documents; this process remembers them, as most come again."""

    def __init__(self, session: Session, dictionary: str) -> None:
        self._session = session
        self._dictionary = dictionary
        found = _of_documents.get(dictionary)
        if found is None or len(found) > _MOST_KNOWN:
            # A new one: another thread may be reading the old.
            found = _of_documents[dictionary] = {}
        self._found = found

    def lexemes(self, words: Iterable[Word | Spelling]) -> Mapping[str, Lexemes]:
        """By the forms of the words: each word itself, and its stems where they differ."""
        new = {word.form: word.text for word in words if word.form and word.form not in self._found}
        if new:
            asked = _asked(new)
            names = sorted({dictionary_of_word(self._dictionary, form) for form in asked})
            rows = _IN_SOME.rows(self._session, {"words": asked, "names": names})
            stems = {(name, form): stem for name, form, stem in rows}
            for form, word in new.items():
                self._found[form] = _lexemes(form, word, self._dictionary, stems)
        return self._found


def lexemes_by_dictionary(session: Session, words: Sequence[Word]) -> list[_ByDictionary]:
    """For each word of a query, its lexemes in every dictionary a document may have been read with.

    Those under `NO_STEMS` are for every document: the word itself.
    """
    if len(_known) > _MOST_KNOWN:
        _known.clear()
    new = {word.form: word.text for word in words if word.form and word.form not in _known}
    rows = _IN_ALL.rows(session, {"words": _asked(new)}) if new else []
    stems = {(name, form): stem for name, form, stem in rows}
    names = {name for name, _ in stems}
    for form, word in new.items():
        found = {name: _lexemes(form, word, name, stems) for name in names}
        _known[form] = {**found, NO_STEMS: (word,)}
    return [_known[word.form] if word.form else {NO_STEMS: (word.text,)} for word in words]


def _asked(forms: Mapping[str, str]) -> list[str]:
    return sorted({*forms, *forms.values()})


def _lexemes(
    form: str, word: str, dictionary: str, stems: Mapping[tuple[str, str], list[str] | None]
) -> Lexemes:
    found = {word: None}
    for spelling in (form, word):
        for stem in stems.get((dictionary_of_word(dictionary, spelling), spelling)) or ():
            if folded := fold(stem):
                found[folded] = None
    return tuple(found)

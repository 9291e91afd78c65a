"""What was found, as it is shown: the item, and a line of text around the hits."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, BigInteger, Row, any_, bindparam, func, select
from sqlalchemy.orm import Session

from nexus.db.models import Fragment, SearchPassage
from nexus.schemas.search import SearchResult, SnippetOut
from nexus.search.matching import Hit, Matcher, densest, merged
from nexus.search.snippets import make_snippet
from nexus.search.stems import DocumentStems
from nexus.search.words import Word, split_words
from nexus.services.media_read import list_items
from nexus.services.search_find import Found
from nexus.services.search_words import SearchWords
from nexus.services.viewer import Viewer

_TEXTS = (
    select(
        SearchPassage.id,
        SearchPassage.fragment_id,
        SearchPassage.start_offset,
        SearchPassage.dictionary,
        func.substr(
            Fragment.canonical_text,
            SearchPassage.start_offset + 1,
            SearchPassage.end_offset - SearchPassage.start_offset,
        ).label("text"),
    )
    .join(Fragment, Fragment.id == SearchPassage.fragment_id)
    .where(SearchPassage.id == any_(bindparam("passages", type_=ARRAY(BigInteger))))
)

_MOST_KNOWN = 20_000
_known: dict[str, dict[str, Sequence[str]]] = {}


class _Shown(NamedTuple):
    """A text to show a part of."""

    text: str
    dictionary: str | None = None
    row: Row[*tuple[Any, ...]] | None = None
    """Says where in the item it is."""


def build_results(
    session: Session, viewer: Viewer, words: SearchWords, found: Sequence[Found]
) -> Iterator[SearchResult | None]:
    """One for each of what was found; None for what cannot be shown.

    That is an item that the person cannot read any more, or a passage that has the words in its
    title only: the item itself is found by that.
    """
    items = list_items(
        session, viewer_id=viewer.user_id, media_ids={each.media_id for each in found}
    )
    texts = _texts(session, found)
    shown = [_shown(each, items.get(each.media_id), texts) for each in found]
    hits = _all_hits(session, words, shown)
    for each, part, where in zip(found, shown, hits, strict=True):
        item = items.get(each.media_id)
        missing = each.type == "passage" and not where
        yield None if item is None or missing else _result(each, item, part, where)


def _result(found: Found, item: dict[str, Any], shown: _Shown, hits: list[Hit]) -> SearchResult:
    row = shown.row
    best = densest(hits)
    around = (best[0].start, best[-1].end) if best else None
    snippet = make_snippet(shown.text, list(merged(hits)), around)
    values: dict[str, Any] = dict.fromkeys(
        ("fragment_id", "start_offset", "end_offset", "highlight_id")
    )
    if found.type == "passage":
        assert around is not None
        assert row is not None
        start, end = (row.start_offset + place for place in around)
        values |= {"fragment_id": row.fragment_id, "start_offset": start, "end_offset": end}
    elif found.type != "item":
        values |= {name: getattr(row, name) for name in values}
    return SearchResult(
        type=found.type,
        media=item,
        snippet=SnippetOut(text=snippet.text, hits=snippet.hits),
        **values,
    )


def _texts(session: Session, found: Sequence[Found]) -> dict[int, _Shown]:
    passages = [each.row.id for each in found if each.type == "passage"]
    if not passages:
        return {}
    rows = session.connection().execute(_TEXTS, {"passages": passages})
    return {row.id: _Shown(row.text, row.dictionary, row) for row in rows}


def _shown(found: Found, item: dict[str, Any] | None, texts: Mapping[int, _Shown]) -> _Shown:
    if found.type == "passage":
        # It may have been deleted a moment ago.
        return texts.get(found.row.id, _Shown(""))
    if found.type != "item":
        return _Shown(found.row.text, row=found.row)
    return _Shown(_description(item) if item else "")


def _description(item: dict[str, Any]) -> str:
    parts = [item["title"], *item["authors"], item["site_name"], *item["tags"]]
    return " · ".join(part for part in parts if part)


def _all_hits(session: Session, words: SearchWords, shown: Sequence[_Shown]) -> list[list[Hit]]:
    """The hits in each text. The stems of all texts of a language are looked up at once."""
    hits: list[list[Hit]] = [[] for _ in shown]
    by_dictionary: defaultdict[str | None, list[int]] = defaultdict(list)
    for number, each in enumerate(shown):
        by_dictionary[each.dictionary].append(number)
    for dictionary, numbers in by_dictionary.items():
        matcher = Matcher(words.wanted(dictionary))
        # The last is for words that are spelled differently, or begin differently.
        for words_of in (matcher.words_near, matcher.words_alike, split_words):
            missed = {n: list(words_of(shown[n].text)) for n in numbers if not hits[n]}
            others = [w for split in missed.values() for w in split if not matcher.is_wanted(w)]
            lexemes = _lexemes(session, dictionary, others)
            for number, found in missed.items():
                hits[number] = matcher.hits(found, lexemes)
    return hits


def _lexemes(
    session: Session, dictionary: str | None, words: Sequence[Word]
) -> Mapping[str, Sequence[str]]:
    """What the forms of these words are found by, remembered from one search to the next."""
    if dictionary is None:
        return {}
    known = _known.setdefault(dictionary, {})
    if len(known) > _MOST_KNOWN:
        known.clear()
    new = [word for word in words if word.form and word.form not in known]
    if new:
        known |= DocumentStems(session, dictionary).lexemes(new)
    return known

"""What was found, as it is shown: the item, and a line of text around the hits."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy.orm import Session

from nexus.search.matching import Hit, Matcher, densest, merged
from nexus.search.snippets import make_snippet
from nexus.search.stems import DocumentStems
from nexus.search.words import split_words
from nexus.services.media_personal import Item
from nexus.services.media_read import list_items
from nexus.services.search_find import Found
from nexus.services.search_words import SearchWords
from nexus.services.viewer import Viewer


def build_results(
    session: Session, viewer: Viewer, words: SearchWords, found: Sequence[Found]
) -> Iterator[dict[str, Any] | None]:
    """A `SearchResult` in plain values for each of what was found; None for what cannot be shown.

    That is an item that the person cannot read any more, or a passage that has the words in its
    title only: the item itself is found by that.
    """
    items = list_items(
        session, viewer_id=viewer.user_id, media_ids={each.media_id for each in found}
    )
    texts = [_text(each, items.get(each.media_id)) for each in found]
    hits = _all_hits(session, words, found, texts)
    for each, text, where in zip(found, texts, hits, strict=True):
        item = items.get(each.media_id)
        missing = each.type == "passage" and not where
        yield None if item is None or missing else _result(each, item, text, where)


def _result(found: Found, item: Item, text: str, hits: list[Hit]) -> dict[str, Any]:
    best = densest(hits)
    around = (best[0].start, best[-1].end) if best else None
    snippet = make_snippet(text, list(merged(hits)), around)
    start, end = found.start_offset, found.end_offset
    if found.type == "passage":
        assert around is not None
        assert start is not None
        start, end = start + around[0], start + around[1]
    return {
        "type": found.type,
        "media": item,
        "fragment_id": found.fragment_id,
        "start_offset": start,
        "end_offset": end,
        "highlight_id": found.highlight_id,
        "snippet": {"text": snippet.text, "hits": snippet.hits},
    }


def _text(found: Found, item: Item | None) -> str:
    """The text to show a part of."""
    if found.type == "item":
        return _description(item) if item else ""
    if found.type == "passage" and found.text is not None:
        assert found.start_offset is not None
        assert found.end_offset is not None
        assert found.text_start is not None
        start, end = found.start_offset - found.text_start, found.end_offset - found.text_start
        return found.text[start:end]
    return found.text or ""


def _description(item: Item) -> str:
    parts = [item.title, *item.authors, item.site_name, *item.tags]
    return " · ".join(part for part in parts if part)


def _all_hits(
    session: Session, words: SearchWords, found: Sequence[Found], texts: Sequence[str]
) -> list[list[Hit]]:
    """The hits in each text. The stems of all texts of a language are looked up at once."""
    hits: list[list[Hit]] = [[] for _ in texts]
    by_dictionary: defaultdict[str | None, list[int]] = defaultdict(list)
    for number, each in enumerate(found):
        by_dictionary[each.dictionary].append(number)
    for dictionary, numbers in by_dictionary.items():
        matcher = Matcher(words.wanted(dictionary))
        # The last is for words that are spelled differently, or begin differently.
        for words_of in (matcher.words_near, matcher.words_alike, split_words):
            missed = {n: list(words_of(texts[n])) for n in numbers if not hits[n]}
            others = [w for split in missed.values() for w in split if not matcher.is_wanted(w)]
            stems = DocumentStems(session, dictionary).lexemes(others) if dictionary else {}
            for number, split in missed.items():
                hits[number] = matcher.hits(split, stems)
    return hits

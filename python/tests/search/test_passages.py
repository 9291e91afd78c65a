"""Texts in pieces: everything is in one of them, and phrases over a cut in the next."""

from bisect import bisect_left
from itertools import pairwise

import pytest

from nexus.search.passages import MAX_LENGTH, MAX_WORDS, OVERLAP, Passage, passages
from nexus.search.words import Spelling, Word, split_words


def test_most_texts_are_one_passage() -> None:
    words = [Spelling("some", "some"), Spelling("text", "text")]
    assert list(passages(" Some text. ")) == [Passage(1, 10, words)]


def test_texts_without_words_have_none() -> None:
    assert list(passages("")) == list(passages(" — ")) == []


TEXTS = {
    "words": "word " * 10_000,
    "numbered": "".join(f"w{number} " for number in range(9_000)),
    "no spaces": "字" * 40_000,
    "decomposed": "ทำ" * 20_000,
    "an endless word": "x" * 50_000 + " y",
    "an endless gap": "a b" + " " * 40_000 + "c",
}


def placed(words: list[Word], passage: Passage) -> list[Word]:
    """The words of a passage where they are in the text."""
    first = bisect_left(words, passage.start, key=lambda word: word.start)
    found = words[first : first + len(passage.words)]
    assert [(word.text, word.form) for word in found] == passage.words
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_passages_hold_all_words_within_limits(name: str) -> None:
    words, found = split_words(TEXTS[name]), list(passages(TEXTS[name]))
    assert {word for passage in found for word in placed(words, passage)} == {*words}
    for passage in found:
        assert len(passage.words) <= MAX_WORDS
        assert passage.end - passage.start <= MAX_LENGTH or len(passage.words) == 1
        inside = placed(words, passage)
        assert (passage.start, passage.end) == (inside[0].start, inside[-1].end)


@pytest.mark.parametrize("name", ["words", "numbered", "no spaces", "decomposed"])
def test_a_phrase_over_a_cut_is_whole_in_the_next_passage(name: str) -> None:
    words, found = split_words(TEXTS[name]), list(passages(TEXTS[name]))
    assert len(found) > 1
    for passage, following in pairwise(found):
        start, end = passage.end - OVERLAP + 10, passage.end + 10
        phrase = {word for word in words if start <= word.start and word.end <= end}
        assert phrase <= {*placed(words, following)}
        assert not phrase <= {*placed(words, passage)}

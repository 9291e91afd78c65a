"""Snippets: around the hits, cut between words and never through a character."""

from hypothesis import given
from hypothesis import strategies as st

from nexus.search.matching import Matcher, densest, merged
from nexus.search.query import parse_query
from nexus.search.snippets import LENGTH, is_boundary, make_snippet
from nexus.search.tsqueries import wanted
from nexus.search.words import fold, split_words

FILLER = "Lorem ipsum dolor sit amet consectetur adipiscing elit. " * 40


def found(query: str, text: str) -> list[str]:
    """The best passage, with stems as simple as can be: words without a final s."""

    def stem(form: str) -> str:
        return fold(form).removesuffix("s")

    lexemes = wanted(parse_query(query).terms, lambda word: [stem(word.form or word.text)])
    matcher = Matcher(lexemes)
    words = matcher.words_near(text) or split_words(text)
    forms = {word.form: [stem(word.form)] for word in words if word.form}
    return [text[start:end] for start, end in merged(densest(matcher.hits(words, forms)))]


def test_hits_are_words_in_any_form() -> None:
    text = f"{FILLER}Two CAFÉS opened. {FILLER}"
    assert found("cafe opened ", text) == ["CAFÉS", "opened"]
    assert found("cafes ", text) == ["CAFÉS"]
    assert found("caf", text) == ["CAFÉS"]


def test_the_best_passage_has_most_words_closest_together() -> None:
    text = f"tide one. {FILLER} tide and a rise of the sea. {FILLER} sea tide rise. {FILLER}"
    assert found("rise sea tide ", text) == ["sea", "tide", "rise"]
    assert found("rise nowhere sea ", text) == ["sea", "rise"]


def test_words_without_spaces_are_one_hit() -> None:
    text = "吾輩は猫である。名前はまだ無い。" * 30 + "どこで生れたか頓と見当がつかぬ。"
    assert found("見当がつかぬ ", text) == ["見当がつかぬ"]


def test_a_snippet_shows_the_hits_in_whole_words() -> None:
    text = f"{FILLER}\n\nA needle,\nlost. {FILLER}"
    start = text.index("needle")
    snippet = make_snippet(text, [(start, start + 6)])
    ((begin, end),) = snippet.hits
    assert snippet.text[begin:end] == "needle"
    assert "A needle, lost." in snippet.text
    assert "\n" not in snippet.text
    assert len(snippet.text) <= LENGTH + 2
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert set(snippet.text.strip("…").split()) <= set(text.split())


def test_a_short_text_is_shown_whole() -> None:
    assert make_snippet("A short one.", [(2, 7)]) == ("A short one.", [(2, 7)])
    assert make_snippet("", []) == ("", [])


def test_no_character_is_cut() -> None:
    for whole in ("👩\u200d👩\u200d👧", "🇩🇪", "e\u0301", "น้ำ", "👍🏽", "\u1100\u1161\u11a8", "क्षि"):
        text = whole * 300
        middle = 150 * len(whole)
        snippet = make_snippet(text, [(middle, middle + 1)])
        inside = snippet.text.strip("…")
        start = middle - snippet.hits[0][0] + 1
        assert text[start : start + len(inside)] == inside
        assert is_boundary(text, start)
        assert is_boundary(text, start + len(inside))
        assert start > 0
        if whole != "क्षि":  # two characters to the eye, or three
            assert start % len(whole) == 0 == len(inside) % len(whole)


@given(st.text(min_size=1, max_size=400), st.data())
def test_hits_stay_where_they_were(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + 40)))
    snippet = make_snippet(text, [(start, end)])
    ((begin, stop),) = snippet.hits
    shown = "".join(" " if char.isspace() else char for char in text[start:end])
    assert snippet.text[begin:stop] == shown

"""Words of texts in many scripts: what they are folded to, and where they are."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nexus.search.words import MAX_WORD, fold, query_words, split_words

SOFT_HYPHEN = "\u00ad"
TEXTS = {
    "Don't, l'homme; Orwell’s": "don t l homme orwell s",
    "naïve Straße İstanbul ılık ŁÓDŹ": "naive strasse istanbul ilik lodz",
    "Ærøskøbing Þór": "aeroskobing thor",
    "snake_case e-mail 3.14 C++ covid19": "snake case e mail 3 14 c covid19",
    f"extra{SOFT_HYPHEN}ordinary ﬁsh ｗｉｄｅ": "extraordinary fish wide",
    "e\u0301te\u0301 été": "ete ete",
    "Ἀχιλλεύς ΕΛΛΆΔΑΣ": "αχιλλευσ ελλαδασ",
    "Ёлка Його": "елка иого",
    "المُدَرِّسُون أحمد كـــتاب ٣٤": "المدرسون احمد كتاب 34",
    "שָׁלוֹם": "שלום",
    # Vowels and tones are part of the word.
    "हिन्दी में ๑๒๓": "हिन्दी में 123",
    "你好，世界": "你好 好 世界 界",
    "iPhone手机壳": "iphone 手机 机壳 壳",
    # A line end in a PDF is a space; to the reader of Chinese it is none.
    "日本 語": "日本 本語 語",
    "한국 사람": "한국 국 사람 람",
    "ﾊﾟﾝ、パン": "パン ン パン ン",
    "ค้นหา": "ค้ ้น นห หา า",
    "": "",
    "— … ⸺ 🙂 _ \u200b": "",
}


@pytest.mark.parametrize("text", TEXTS)
def test_words_of(text: str) -> None:
    assert " ".join(word.text for word in split_words(text)) == TEXTS[text]


def test_where_words_are() -> None:
    text = f"🙂 Extra{SOFT_HYPHEN}ordinary: 手机"
    spans = [text[word.start : word.end] for word in split_words(text)]
    assert spans == [f"Extra{SOFT_HYPHEN}ordinary", "手机", "机"]


def test_dictionaries_get_words_with_their_accents() -> None:
    assert [word.form for word in split_words("Mangées Häuser красный 手机")] == [
        "mangées",
        "häuser",
        "красный",
        None,
        None,
    ]


def test_a_query_leaves_out_what_a_pair_says_already() -> None:
    assert [(at, word.text) for at, word in query_words("iPhone手机壳, 好")] == [
        (0, "iphone"),
        (1, "手机"),
        (2, "机壳"),
        (4, "好"),
    ]
    # One character that decomposes into two.
    assert [word.text for _, word in query_words("ทำ")] == ["ทํ", "ํา"]


def test_endless_words_are_cut() -> None:
    (word,) = split_words("A" * 10_000)
    assert word.text == word.form == "a" * MAX_WORD
    assert word.end == 10_000


def test_folding_a_character_twice_changes_nothing() -> None:
    every = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    assert [char for char in every if fold(fold(char)) != fold(char)] == []


texts = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(" 'aéßİ\u0301\u00ad\u200d手机ガ\u3099ｶﾞ한ᄀ\u1161กำ\u0e49हि् مُ"),
    )
)


@given(texts)
def test_words_lie_in_the_text(text: str) -> None:
    words = split_words(text)
    for word in words:
        assert 0 <= word.start < word.end <= len(text)
        assert word.text
        # The word itself, not one that begins earlier or ends later.
        assert fold(word.text) in fold(text[word.start : word.end])
    assert [word.start for word in words] == sorted(word.start for word in words)


@given(texts)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(texts)
def test_a_folded_word_is_found_as_itself(text: str) -> None:
    """What is stored can be searched for: the query is split and folded the same way."""
    for word in split_words(text):
        if word.form is not None:
            assert [again.text for again in split_words(word.text)] == [word.text]


def test_lines_of_unspaced_scripts_are_read_as_one() -> None:
    lines = [word.text for word in split_words("直接描画\n\n未サポート")]
    assert lines == [word.text for word in split_words("直接描画 未サポート")]
    assert lines == [word.text for word in split_words("直接描画未サポート")]

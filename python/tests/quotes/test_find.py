"""Where quotes from elsewhere are found, and where they must not be."""

import pytest

from nexus.quotes import Document, Quote, Range, Search, find
from tests.quotes.texts import ALL, ARABIC, EMOJI, ENGLISH, GERMAN, JAPANESE, THAI


def found(text: str, quote: str, prefix: str = "", suffix: str = "") -> str | None:
    match = find(Document([text]), Quote(quote, prefix, suffix))
    return None if match is None else text[match.start : match.end]


def test_exactly_as_it_is() -> None:
    quote = "Old Marek mended his nets"
    match = find(Document([ENGLISH]), Quote(quote))
    assert match is not None
    assert (match.fragment, ENGLISH[match.start : match.end], match.how) == (0, quote, "exact")


@pytest.mark.parametrize(
    ("text", "quote", "passage"),
    [
        (ENGLISH, '"We have time," he said', "“We have time,” he said"),
        (ENGLISH, "not much,\u00a0but\n enough - “and", "not much, but enough – “and"),
        (ENGLISH, "The diffi-\ncult pas\u00adsage bet\u200bween", "The difficult passage between"),
        (ENGLISH, 'the tide will wait."\n\nBy noon', "the tide will wait.”\n\nBy noon"),
        (ENGLISH, "church tower, white rock, lone pine. ", "church tower, white rock, lone pine."),
        (ENGLISH, "THE DIFFICULT PASSAGE", "The difficult passage"),
        (ENGLISH.replace("fi", "ﬁ"), "The difficult passage", "The difﬁcult passage"),
        (GERMAN, '"Grösse", sagte Ju\u0308rgen', "„Größe“, sagte Jürgen"),
        (GERMAN, "STRASSENLATERNEN FÄRBTEN", "Straßenlaternen färbten"),
        (JAPANESE, "老人は 桟橋で 網を繕い、", "老人は桟橋で網を繕い、"),
        (ARABIC, "تغيرت الريح، وصار الممر", "تغيّرت الريح، وصار الممرّ"),
        (THAI, "ชายชรานั่ง ซ่อมอวน", "ชายชรานั่งซ่อมอวน"),
        (
            EMOJI,
            "we sailed 🚢🌊 past the lighthouse 👩👩👧",
            "we sailed 🚢🌊 past the lighthouse 👩‍👩‍👧",
        ),
    ],
)
def test_as_other_programs_write_it(text: str, quote: str, passage: str) -> None:
    assert found(text, quote) == passage


@pytest.mark.parametrize(
    ("text", "quote", "passage"),
    [
        (
            ENGLISH,
            "the wnd had turned. The dificult pasage",
            "the wind had turned. The difficult passage",
        ),
        (
            ENGLISH,
            "[3] Old Marek mended his nets on the quay",
            "Old Marek mended his nets on the quay",
        ),
        (ENGLISH, "he harbour lay still that mornings.", "The harbour lay still that morning."),
        (
            JAPANESE,
            "二つの燈台の間の難しい水路は満潮のときだけ",
            "二つの灯台の間の難しい水路は満潮のときだけ",
        ),
        (THAI, "ช่องแคบระหว่างประภาคารทั้งสองจึงปลอดไภยเฉพาะ", "ช่องแคบระหว่างประภาคารทั้งสองจึงปลอดภัยเฉพาะ"),
        (ARABIC, "أصلح العجوز شبكه على الرصيف ولم يتحدث", "أصلح العجوز شباكه على الرصيف ولم يتحدث"),
        (EMOJI, "we saild 🚢🌊 past the lighthouse", "we sailed 🚢🌊 past the lighthouse"),
    ],
)
def test_with_some_errors(text: str, quote: str, passage: str) -> None:
    assert found(text, quote) == passage


def test_what_is_not_there_is_not_found() -> None:
    for text in ALL:
        for other in ALL:
            if other is not text:
                assert found(text, other[:60]) is None
                assert found(text, other[10:35], other[:10], other[35:60]) is None
    assert found(ENGLISH, "the wind turned north and the pilots called it a day") is None
    assert found("", "anything") is None
    assert found(ENGLISH, "") is None


def test_the_same_words_twice_are_decided_by_what_stands_around_them() -> None:
    assert found(ENGLISH, "The harbour lay still that") is None
    document = Document([ENGLISH])
    match = find(document, Quote("The harbour lay still that", suffix=" evening. Young Marek"))
    assert match is not None
    assert match.start == ENGLISH.rindex("The harbour")
    match = find(document, Quote("The harbour lay still that", suffix=" mourning. Old Mareck"))
    assert match is not None
    assert match.start == 0


def test_a_context_that_fits_neither_decides_nothing() -> None:
    assert (
        found(ENGLISH, "The harbour lay still that", "Once upon a time ", " winter, far up") is None
    )


def test_one_more_error_but_the_right_context_wins() -> None:
    text = "We met at the old gate in June. Later on we met at the odd gate in July, alone."
    match = find(Document([text]), Quote("at the old gate", "Later on we met ", " in July, alone."))
    assert match is not None
    assert text[match.start : match.end] == "at the odd gate"


def test_a_short_quote_does_not_lock_on_to_the_same_words_elsewhere() -> None:
    text = (
        "Stop there. The engine was fine. He said: stop here, and then it rained for days on end."
    )
    match = find(
        Document([text]), Quote("stop there", "He said: ", ", and then it rained for days")
    )
    assert match is not None
    assert text[match.start : match.end] == "stop here"


def test_passages_that_differ_in_one_place() -> None:
    assert found(ENGLISH, "In 1987 the Needle took three ships.") is not None
    assert found(ENGLISH, "In 198_ the Needle took ships.") is None


@pytest.mark.parametrize(
    ("quote", "prefix", "suffix", "passage"),
    [
        ("the", "", "", None),
        ("pine", "", "", "pine"),
        ("pine", "wholly other words here", "and here, nothing alike", None),
        ("the", "spoke of ", " storm. “We have", "the"),
        ("!?", "", "", None),
    ],
)
def test_very_short_ones(quote: str, prefix: str, suffix: str, passage: str | None) -> None:
    assert found(ENGLISH, quote, prefix, suffix) == passage


def test_a_text_that_repeats_itself() -> None:
    text = "Hello world\n" * 5
    assert found(text, "Hello world\nHello world") is None
    assert found(text, "Hxllo world Hello wrld Hello wo-rld Helo world") is None


def test_words_are_not_cut_where_the_quote_was_damaged() -> None:
    for damaged in ("ilots call the Needle, is save onl", "xilots call the Needle, is safe onlx"):
        assert found(ENGLISH, damaged) == "pilots call the Needle, is safe only"


def test_part_of_a_word_stays_one_if_it_is_exact() -> None:
    assert (
        found(ENGLISH, "ilots call the Needle, is safe onl") == "ilots call the Needle, is safe onl"
    )


def test_where_something_was_left_out() -> None:
    quote = "Old Marek mended his nets … and the tide will wait."
    passage = found(ENGLISH, quote)
    assert passage is not None
    assert passage.startswith("Old Marek mended")
    assert passage.endswith("tide will wait.")
    assert found(ENGLISH, "Old Marek mended his nets on the quay, and …") == (
        "Old Marek mended his nets on the quay, and"
    )


def test_the_right_fragment_of_several() -> None:
    document = Document([GERMAN, ENGLISH, JAPANESE])
    match = find(document, Quote("By noon the wind had turnd."))
    assert match is not None
    assert (match.fragment, ENGLISH[match.start : match.end]) == (1, "By noon the wind had turned.")
    assert find(document, Quote(GERMAN[-30:] + " " + ENGLISH[:30])) is None


def test_a_likely_range_decides_between_equals() -> None:
    search = Search(Document([ENGLISH]), Quote("The harbour lay still that"))
    second = ENGLISH.rindex("The harbour")
    assert search.choose() is None
    match = search.choose([Range(0, second - 20, second + 20)])
    assert match is not None
    assert match.start == second
    assert search.choose([Range(0, 0, len(ENGLISH))]) is None


def test_long_quotes() -> None:
    text = " ".join(f"{number} bottles stood on wall {number % 7}." for number in range(3000))
    quote = text[20_000:29_000].replace("stood", "stoood", 5)
    match = find(Document([text]), Quote(quote))
    assert match is not None
    assert abs(match.start - 20_000) <= 2
    assert abs(match.end - 29_000) <= 2

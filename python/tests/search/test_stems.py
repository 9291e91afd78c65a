"""Forms of a word are found by each other, in Postgres as it is."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from sqlalchemy import text as sql
from sqlalchemy.orm import Session

from nexus.search import stems
from nexus.search.dictionaries import NO_STEMS, choose_dictionary
from nexus.search.passages import HEAD_POSITIONS, MAX_WORDS
from nexus.search.stems import DocumentStems, lexemes_by_dictionary
from nexus.search.vectors import vector
from nexus.search.words import split_words

DICTIONARIES = [
    (None, "Some English text", "english_stem"),
    ("en-GB", "Some English text", "english_stem"),
    ("de", "Ein deutscher Text", "german_stem"),
    ("pt-BR", "Um texto em português", "portuguese_stem"),
    # Postgres has none for these.
    ("pl", "Polski tekst", NO_STEMS),
    ("zh", "一些中文", "english_stem"),
    (None, "русский текст", "russian_stem"),
    (None, "Ελληνικό κείμενο", "greek_stem"),
    (None, "हिन्दी पाठ", "hindi_stem"),
    (None, "نص عربي", "arabic_stem"),
    # Not everything that says it is English is.
    ("en", "русский текст", "russian_stem"),
    ("sr-Latn", "Srpski tekst", "serbian_stem"),
    ("", "", "english_stem"),
    ("not a tag", "1234", NO_STEMS),
]


@pytest.mark.parametrize(("language", "text", "dictionary"), DICTIONARIES)
def test_dictionary_of_a_text(language: str | None, text: str, dictionary: str) -> None:
    assert choose_dictionary(language, text) == dictionary


PAIRS = [
    ("english_stem", "running dogs", "run dog"),
    ("english_stem", "the being", "the being"),
    ("german_stem", "Häuser", "Haus"),
    ("german_stem", "Häuser", "hauses"),
    # With and without accents.
    ("french_stem", "mangées", "manger"),
    ("french_stem", "mangées", "mangees"),
    ("french_stem", "mangée", "mangees"),
    ("russian_stem", "красный", "красного"),
    ("russian_stem", "ёлки", "елка"),
    # English words in a text in another script.
    ("russian_stem", "running", "runs"),
    ("greek_stem", "άνθρωποι", "ανθρωπος"),
    ("arabic_stem", "الكتاب", "كتاب"),
]


@pytest.mark.parametrize(("dictionary", "written", "asked"), PAIRS)
def test_forms_are_found(session: Session, dictionary: str, written: str, asked: str) -> None:
    words = split_words(written)
    lexemes = DocumentStems(session, dictionary).lexemes(words)
    query = lexemes_by_dictionary(session, split_words(asked))
    assert all(
        {*lexemes[word.form or ""]} & {*found[dictionary]}
        for word, found in zip(words, query, strict=True)
    )


def test_words_of_a_query_in_every_dictionary(session: Session) -> None:
    running, pair = lexemes_by_dictionary(session, split_words("running 手机")[:2])
    assert running[NO_STEMS] == ("running",)
    assert running["english_stem"] == ("running", "run")
    assert len(running) > 20
    assert pair == {NO_STEMS: ("手机",)}


def test_a_dictionary_that_this_postgres_lacks_finds_no_stems(session: Session) -> None:
    lexemes = DocumentStems(session, "klingon_stem").lexemes(split_words("words"))
    assert lexemes == {"words": ("words",)}


def test_vectors_have_words_and_stems_at_their_positions(session: Session) -> None:
    words = split_words("Dogs and 手机")
    lexemes = DocumentStems(session, "english_stem").lexemes(words)
    title = vector(words, lexemes, weight="A")
    body = vector(words, lexemes, first_position=HEAD_POSITIONS)
    stored = session.scalar(sql("SELECT CAST(:words AS tsvector)"), {"words": f"{title} {body}"})
    assert stored == ("'and':2A,1001 'dog':1A,1000 'dogs':1A,1000 '手机':3A,1002 '机':4A,1003")


def test_a_full_passage_fits(session: Session) -> None:
    words = split_words("的" * MAX_WORDS)
    body = vector(words, {}, first_position=HEAD_POSITIONS + 1)
    last = "SELECT CAST(:words AS tsvector) @@ '的的 <-> 的的'::tsquery"
    assert session.scalar(sql(last), {"words": body}) is True


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(DICTIONARIES))
def test_every_text_casts(session: Session, text: str, dictionary: tuple[str, str, str]) -> None:
    words = split_words(text)
    found = vector(words, DocumentStems(session, dictionary[2]).lexemes(words), weight="B")
    count = "SELECT length(CAST(:words AS tsvector))"
    distinct = {lexeme.rpartition(":")[0] for lexeme in found.split(" ") if lexeme}
    assert session.scalar(sql(count), {"words": found}) == len(distinct)


def test_words_are_asked_for_once(session: Session) -> None:
    words = split_words("Lanterns were swinging")
    english = dict(DocumentStems(session, "english_stem").lexemes(words))
    assert english["lanterns"] == ("lanterns", "lantern")
    # In another dictionary they are other words.
    german = DocumentStems(session, "german_stem").lexemes(words)
    assert german["swinging"] != english["swinging"]

    def refuse(*_: object) -> None:
        raise AssertionError("asked again")

    event.listen(session.connection(), "before_cursor_execute", refuse)
    assert english.items() <= DocumentStems(session, "english_stem").lexemes(words).items()


def test_a_bounded_number_of_words_is_remembered(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stems, "_of_documents", {})
    monkeypatch.setattr(stems, "_MOST_KNOWN", 5)
    first = DocumentStems(session, "english_stem").lexemes(split_words("a b c d e f g"))
    assert DocumentStems(session, "english_stem").lexemes(split_words("h")).keys() == {"h"}
    assert len(first) == 7

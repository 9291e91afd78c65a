"""The query language: what is understood, and what is refused with a reason."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nexus.db.enums import MediaKind, ReadingState
from nexus.errors import InvalidRequestError
from nexus.search.query import MAX_LENGTH, MAX_WORDS, Term, parse_query
from nexus.search.tsqueries import with_positions, without_positions


def spelled(terms: tuple[Term, ...]) -> list[str]:
    """Each term in short: exact ones quoted, prefixes with a star."""
    found = []
    for term in terms:
        text = " ".join(word.text + "*" * word.prefix for word in term.words)
        found.append(f'"{text}"' if term.exact else text)
    return found


@pytest.mark.parametrize(
    ("text", "terms", "excluded"),
    [
        ("climate report ", ["climate", "report"], []),
        ("climate rep", ["climate", "rep*"], []),
        ("clim* report ", ["clim*", "report"], []),
        ('"climate report"', ['"climate report"'], []),
        ("“climate report”", ['"climate report"'], []),
        ('"climate rep', ['"climate rep*"'], []),
        ('say "climate report" twice ', ["say", '"climate report"', "twice"], []),
        ('report -draft -"first draft" ', ["report"], ["draft", '"first draft"']),
        ("Café NAÏVE ", ["cafe", "naive"], []),
        ("well-known ", ["well known"], []),
        ("東京都 ", ["東京 京都"], []),
        ("中 ", ["中*"], []),
        ("--verbose ", ["verbose"], []),
        ("5 -.4.&.45) #", ["5", "4 45"], []),
        ("-#draft ", [], ["draft"]),
        ('- -- * " \'\' -"" 📚 ', [], []),
        ("tag: in: before: http://example.org/ ", ["tag", "in", "before", "http example org"], []),
        ("word word ", ["word"], []),
        ("a\x00b ", ["a b"], []),
    ],
)
def test_words_are_understood(text: str, terms: list[str], excluded: list[str]) -> None:
    query = parse_query(text)
    assert spelled(query.terms) == terms
    assert spelled(query.excluded) == excluded


def test_filters_are_read() -> None:
    filters = parse_query(
        'tag:work TAG:"to read" -tag:old in:title in:notes kind:pdf kind:book -kind:article '
        "site:example.org author:orwell is:unread is:archived -is:favourite after:2024 "
        "before:2025-03-02"
    ).filters
    assert filters.tags == ("work", "to read")
    assert filters.without_tags == ("old",)
    assert filters.places == {"title", "notes"}
    assert filters.kinds == {MediaKind.PDF, MediaKind.EPUB}
    assert filters.without_kinds == {MediaKind.WEB_ARTICLE}
    assert (filters.sites, filters.authors) == (("example.org",), ("orwell",))
    assert filters.states == {ReadingState.UNREAD}
    assert (filters.archived, filters.favourite) == (True, False)
    assert filters.saved_from == datetime(2024, 1, 1, tzinfo=UTC)
    assert filters.saved_before == datetime(2025, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("kind:newspaper", "article"),
        ("is:great", "favourite"),
        ("in:books", "highlights"),
        ("before:yesterday", "2024-05-31"),
        ("after:2024-13", "2024-05-31"),
        ("after:0000", "2024-05-31"),
        ('tag:""', "needs a value"),
        ("-in:title", "cannot be excluded"),
        ("is:archived -is:archived", "Remove one of them"),
        ("tag:a " * 21, "at most 20"),
        ("x" * (MAX_LENGTH + 1), "1,000"),
    ],
)
def test_what_cannot_be_understood_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        parse_query(text)
    assert refused.value.code == "E_SEARCH_INVALID"
    assert reason in refused.value.message


def test_long_queries_are_cut() -> None:
    query = parse_query(" ".join(f"word{number}" for number in range(100)))
    assert len(query.terms) == MAX_WORDS


def test_positions_are_kept_apart_from_what_an_index_decides() -> None:
    query = parse_query('"rise of the sea" level* -"low tide" -ebb ')

    def stems(_word: object) -> list[str]:
        return ["stem"]

    assert with_positions(query.terms, query.excluded, stems) == (
        "('rise' <1> 'of' <1> 'the' <1> 'sea') & ('level' | 'stem' | 'level':*)"
        " & !(('low' <1> 'tide')) & !(('ebb' | 'stem'))"
    )
    assert without_positions(query.terms, query.excluded, stems, prefixes=False) == (
        "'rise' & 'of' & 'the' & 'sea' & !(('ebb' | 'stem'))"
    )


@given(st.text(max_size=200))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        query = parse_query(text)
    except InvalidRequestError:
        return
    for term in (*query.terms, *query.excluded):
        assert all(word.text.isprintable() and "'" not in word.text for word in term.words)

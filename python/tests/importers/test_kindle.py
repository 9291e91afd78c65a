"""My Clippings.txt in the languages of its devices."""

from datetime import UTC, datetime

import pytest

from nexus.importers.kindle_entries import Kind, parsed
from nexus.importers.records import ImportedHighlight
from tests.importers.reading import items_of, read, read_as

WHEN = datetime(2024, 3, 4, 22, 15, 32, tzinfo=UTC)
END = "==========\r\n"


def clipping(
    text: str,
    place: str = "Location 145-147",
    *,
    kind: str = "Your Highlight on page 12 |",
    book: str = "A Book (Nora Writer)",
) -> str:
    when = "Added on Monday, 4 March 2024 22:15:32"
    return f"{book}\r\n- {kind} {place} | {when}\r\n\r\n{text}\r\n{END}"


def note(text: str, place: str) -> str:
    return clipping(text, place, kind="Your Note on page 12 |")


LANGUAGES = {
    "en": "- Your Highlight on page 12 | Location 145-147 | Added on Monday, 4 March 2024 22:15:32",
    "en, 12 hours": (
        "- Your Highlight on page 12 | location 145-147 | "
        "Added on Monday, March 4, 2024 10:15:32 PM"
    ),
    "es": (
        "- La subrayado en la página 12 | posición 145-147 | "
        "Añadido el lunes, 4 de marzo de 2024 22:15:32"
    ),
    "fr": (
        "- Votre surlignement sur la page 12 | emplacement 145-147 | "
        "Ajouté le lundi 4 mars 2024 à 22:15:32"
    ),
    "de": (
        "- Ihre Markierung auf Seite 12 | bei Position 145-147 | "
        "Hinzugefügt am Montag, 4. März 2024 um 22:15:32"
    ),
    "it": (
        "- La tua evidenziazione a pagina 12 | posizione 145-147 | "
        "Aggiunto in data lunedì 4 marzo 2024 22:15:32"
    ),
    "pt": (
        "- Seu destaque na página 12 ou posição 145-147 | "
        "Adicionado: segunda-feira, 4 de março de 2024 22:15:32"
    ),
    "nl": (
        "- Je markering op pagina 12 | locatie 145-147 | "
        "Toegevoegd op maandag 4 maart 2024 22:15:32"
    ),
    "ru": (
        "- Ваш выделенный отрывок на странице 12 | Место 145–147 | "
        "Добавлено: понедельник, 4 марта 2024 г. в 22:15:32"
    ),
    "zh": "- 您在第 12 页（位置 #145-147）的标注 | 添加于 2024年3月4日星期一 下午10:15:32",
    "ja": "- 12ページ｜位置No. 145-147のハイライト｜作成日: 2024年3月4日月曜日 22:15:32",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages(language: str) -> None:
    found = parsed(1, "A", LANGUAGES[language], "words")
    assert (found.kind, found.page, found.start, found.end) == (Kind.HIGHLIGHT, "12", 145, 147)
    assert found.added_at == WHEN


def test_a_german_am_is_not_in_the_morning() -> None:
    line = "- Ihre Markierung bei Position 1-2 | Hinzugefügt am Montag, 4. März 2024 12:15:32"
    added_at = parsed(1, "A", line, "words").added_at
    assert added_at is not None
    assert added_at.hour == 12


PLACES = {
    "- Your Highlight at location 145-147 | Added": (None, 145, 147),
    "- Your Highlight at location 145 | Added": (None, 145, 145),
    "- Your Highlight Location 680-82 | Added": (None, 680, 682),
    "- Your Highlight on page 12 | Added": ("12", None, None),
    "- Your highlight on page 12-13 | Added": ("12-13", None, None),
    "- Your Highlight on page xii | Location 3-4 | Added": ("xii", 3, 4),
    "- Ihre Markierung bei Position 5 | Hinzugefügt": (None, 5, 5),
    "- Something new on leaf 7 | spot 70-75 | then": ("7", 70, 75),
}


@pytest.mark.parametrize("line", PLACES)
def test_places(line: str) -> None:
    found = parsed(1, "A", line, "words")
    assert (found.page, found.start, found.end) == PLACES[line]


NOTES = [
    "- Your Note on page 12 | Location 145 | Added",
    "- Tu nota en la página 12 | Añadido",
    "- Votre note sur la page 12 | Ajouté",
    "- Ihre Notiz auf Seite 12 | Hinzugefügt",
    "- Je notitie op pagina 12 | Toegevoegd",
    "- Ваша заметка на странице 12 | Добавлено",
    "- 您在位置 #145 的笔记 | 添加于",
    "- 位置No. 145のメモ｜作成日",
]


@pytest.mark.parametrize("line", NOTES)
def test_notes(line: str) -> None:
    assert parsed(1, "A", line, "words").kind is Kind.NOTE


BOOKS = {
    "A Book (Nora Writer)": ("A Book", ("Nora Writer",)),
    "\ufeffA Book: Part (Two) (Writer, Nora)": ("A Book: Part (Two)", ("Nora Writer",)),
    "A Book (Nora Writer (ed.))": ("A Book", ("Nora Writer (ed.)",)),
    "A Book (Writer, Nora;Thor, Otto)": ("A Book", ("Nora Writer", "Otto Thor")),
    "书名（作者）": ("书名", ("作者",)),
    "A Book - Nora Writer": ("A Book", ("Nora Writer",)),
    "A Book": ("A Book", ()),
    "(Untitled)": ("(Untitled)", ()),
    "A (B": ("A (B", ()),
}


@pytest.mark.parametrize("line", BOOKS)
def test_books(line: str) -> None:
    found = parsed(1, line, "- x | y", "words")
    assert (found.title, found.authors) == BOOKS[line]


def test_a_file() -> None:
    text = (
        "\ufeff"
        + clipping("The words that were marked.")
        + "\ufeff"
        + clipping("Earlier words", "Location 10-12")
        + clipping("Another book", book="B (Otto Thor)")
    )
    book, other = items_of("kindle", text)
    assert (book.url, book.title, book.authors) == (None, "A Book", ("Nora Writer",))
    assert book.saved_at == WHEN
    assert book.highlights == (
        ImportedHighlight("Earlier words", created_at=WHEN, page="12"),
        ImportedHighlight("The words that were marked.", created_at=WHEN, page="12"),
    )
    assert other.title == "B"


VERSIONS = {
    "made longer": (["The words", "The words that"], ["The words that"]),
    "made shorter": (["The words that", "The words"], ["The words"]),
    "the same": (["The words", "The words"], ["The words"]),
    "another from the same place": (["The words", "Other words"], ["The words", "Other words"]),
}


@pytest.mark.parametrize("name", VERSIONS)
def test_of_versions_of_one_highlight_the_latest_counts(name: str) -> None:
    written, kept = VERSIONS[name]
    (book,) = items_of("kindle", "".join(map(clipping, written)))
    assert [mark.quote for mark in book.highlights] == kept


def test_on_one_page_only_the_same_text_is_the_same_highlight() -> None:
    entries = [
        clipping(text, "", kind="Your highlight on page 12") for text in ("the", "the cat", "the")
    ]
    (book,) = items_of("kindle", "".join(entries))
    assert [mark.quote for mark in book.highlights] == ["the cat", "the"]


def test_notes_are_joined_with_what_they_are_about() -> None:
    text = (
        clipping("outer words and more", "Location 100-120")
        + clipping("inner words", "Location 105-110")
        + note("at the end of the inner", "Location 110")
        + note("at the end of the outer", "Location 120")
        + note("second thought", "Location 120")
        + note("about nothing", "Location 500")
    )
    (book,) = items_of("kindle", text)
    assert [(mark.quote, mark.note) for mark in book.highlights] == [
        ("outer words and more", "at the end of the outer\n\nsecond thought"),
        ("inner words", "at the end of the inner"),
        ("", "about nothing"),
    ]


def test_a_note_on_a_page_is_about_the_highlight_before_it() -> None:
    text = clipping("words", "", kind="Your highlight on page 12") + clipping(
        "a note", "", kind="Your note on page 12"
    )
    (book,) = items_of("kindle", text)
    assert [(mark.quote, mark.note) for mark in book.highlights] == [("words", "a note")]


NOT_TAKEN = {
    "bookmark": clipping("", "Location 3", kind="Your Bookmark on page 1 |"),
    "limit": clipping("You have reached the clipping limit for this item"),
    "limit in another language": clipping("<Sie haben das Limit für diesen Titel erreicht>"),
}


@pytest.mark.parametrize("name", NOT_TAKEN)
def test_what_has_no_text_is_reported(name: str) -> None:
    (book,), skipped = read("kindle", clipping("words") + NOT_TAKEN[name])
    assert [mark.quote for mark in book.highlights] == ["words"]
    assert [(each.line, each.what) for each in skipped] == [(6, "A Book")]


def test_texts_of_several_lines() -> None:
    (book,) = items_of("kindle", clipping("one\r\n\r\ntwo\r\n- three | four"))
    assert book.highlights[0].quote == "one\n\ntwo\n- three | four"


def test_a_lost_line_between_entries() -> None:
    text = clipping("first").replace(END, "") + clipping("second", "Location 200-201")
    (book,) = items_of("kindle", text)
    assert [mark.quote for mark in book.highlights] == ["first", "second"]


def test_lines_that_belong_to_no_entry() -> None:
    items, skipped = read_as("kindle", f"what is this\n{END}{clipping('words')}".encode())
    assert len(items) == 1
    assert [(each.line, each.what) for each in skipped] == [(1, "what is this")]

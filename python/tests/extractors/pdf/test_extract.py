"""PDFs become documents: real files, the real Node program, the real store."""

from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import ExtractionError, TransientExtractionError
from nexus.extractors.pdf import extract
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import sanitize_html
from tests import pdf_files
from tests.extractors.pdf.reading import flat, job_for, labels, page_texts, read, text_of
from tests.patience import PATIENCE_SECONDS


def test_the_text_of_all_pages_is_one_fragment() -> None:
    document = read(pdf_files.plain(3))
    pages = [" ".join(pdf_files.page_lines(number)) for number in (1, 2, 3)]
    assert page_texts(document) == pages
    assert flat(document) == " ".join(pages)
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert [page.label for page in document.pages] == ["1", "2", "3"]
    assert document.extractor_version == "pdf.js 5.5.207"
    assert document.fingerprint
    assert document.title is None
    assert document.metadata.authors == ()


def test_the_html_is_what_the_sanitizer_writes_and_gives_the_text() -> None:
    document = read(pdf_files.two_columns())
    (fragment,) = document.fragments
    assert sanitize_html(fragment.html_sanitized, "") == fragment.html_sanitized
    assert canonicalize(fragment.html_sanitized) == fragment.canonical_text


def test_markup_in_a_pdf_is_text() -> None:
    lines = ["<script>alert(1)</script>", "a &amp; b <p hidden>c</p>"]
    document = read(pdf_files.text_pages([lines]))
    assert flat(document) == " ".join(lines)
    assert "<script" not in document.fragments[0].html_sanitized


def test_hyphens_at_line_ends_join_and_pages_do_not() -> None:
    assert page_texts(read(pdf_files.hyphenated())) == [
        "This is an exam-ple of a well-known habit of type-setters since 1455-1460.",
        "A dash - with spaces - is none, and the last word is hy-",
        "phenated across a page.",
    ]


def test_pages_without_text_are_where_the_next_text_begins() -> None:
    document = read(pdf_files.text_pages([[], ["one"], [], ["two"], []]))
    assert text_of(document).replace("\n", " ") == "one two"
    assert [page.offset for page in document.pages] == [0, 0, 4, 4, 7]


def test_outline_and_page_labels() -> None:
    document = read(pdf_files.outlined())
    assert [page.label for page in document.pages] == ["i", "ii", "1", "2", "3", "4"]
    assert labels(document.contents) == [
        ("Preface", []),
        ("First chapter", [("A section", [])]),
        ("Second chapter", []),
    ]
    text = text_of(document)
    first = document.contents[1]
    for entry in (*document.contents, *first.children):
        assert text[entry.offset :].startswith(entry.label)
    assert document.title == "The Outlined Book"


def test_metadata_of_the_info_dictionary() -> None:
    document = read(pdf_files.described())
    assert document.title == "On Rivers"
    assert document.metadata.authors == ("Ada Writer", "Ben Reader")
    assert document.metadata.published_at == "2019-05-03T10:15:00+02:00"
    assert document.metadata.language == "en-GB"


def test_metadata_of_xmp_comes_first() -> None:
    document = read(pdf_files.described(xmp=pdf_files.XMP, language=None))
    assert document.title == "Rivers & Their Names"
    assert document.metadata.authors == ("Ada Writer", "Ben Reader")
    assert document.metadata.site_name == "River Press"
    assert document.metadata.published_at == "2018-04-02"
    assert document.metadata.language == "de-AT"


def test_rotated_and_mixed_pages() -> None:
    pages = page_texts(read(pdf_files.rotated_and_mixed()))
    assert [page.partition(".")[0] for page in pages[:4]] == [
        f"Turned by {turn} degrees" for turn in (0, 90, 180, 270)
    ]
    assert pages[4:] == ["595 by 842", "842 by 595", "200 by 300"]


def test_a_scan_has_pages_and_no_text() -> None:
    document = read(pdf_files.scan(2))
    assert document.fragments == ()
    assert document.contents == ()
    assert [(page.number, page.offset) for page in document.pages] == [(1, 0), (2, 0)]


TEXTS = {
    "chinese": (pdf_files.chinese, "你好,世界。 这是第二行。"),
    "japanese": (pdf_files.japanese, "日本語の文章 二行目です"),
    "vertical": (lambda: pdf_files.japanese(vertical=True), "日本語の文章 二行目です"),
    "arabic": (pdf_files.arabic, "بالعالم مرحبا الثاني السطر"),
    "without unicode": (pdf_files.without_unicode, "ABC"),
    "odd characters": (
        lambda: pdf_files.spelled(["cafe\u0301 \U0001d49c", "a\x00b\ufffe"]),
        "café \U0001d49c ab",
    ),
    "owner's password": (pdf_files.owner_locked, " ".join(pdf_files.page_lines(1))),
    "wrong table": (
        pdf_files.wrong_xref,
        " ".join(pdf_files.page_lines(1) + pdf_files.page_lines(2)),
    ),
    "active": (pdf_files.active, " ".join(pdf_files.page_lines(1))),
    "a drawing in itself": (pdf_files.endless_form, "Before"),
}


@pytest.mark.parametrize(("build", "text"), TEXTS.values(), ids=TEXTS)
def test_files_that_open(build: Callable[[], bytes], text: str) -> None:
    assert flat(read(build())) == text


def test_what_lost_its_table_is_repaired() -> None:
    assert len(read(pdf_files.without_table()).pages) == 5


FAILURES = {
    "locked": (pdf_files.locked, FailureCode.PDF_PASSWORD),
    "truncated": (pdf_files.truncated, FailureCode.PDF_INVALID),
    "hopeless": (pdf_files.hopeless, FailureCode.PDF_INVALID),
    "too many pages": (lambda: pdf_files.blank_pages(5_001), FailureCode.FILE_TOO_COMPLEX),
    "deflate bomb": (pdf_files.deflate_bomb, FailureCode.FILE_TOO_COMPLEX),
}


_LONG = ("too many pages", "deflate bomb")


@pytest.mark.parametrize(
    ("build", "code"),
    [
        pytest.param(*case, id=name, marks=[pytest.mark.heavy] if name in _LONG else [])
        for name, case in FAILURES.items()
    ],
)
def test_files_that_do_not(build: Callable[[], bytes], code: FailureCode) -> None:
    with pytest.raises(ExtractionError) as failed:
        read(build())
    assert failed.value.code == code
    assert not isinstance(failed.value, TransientExtractionError)


@pytest.mark.heavy
def test_a_file_that_takes_forever_is_too_complex(monkeypatch: pytest.MonkeyPatch) -> None:
    # The program itself says so, however late.
    monkeypatch.setattr("nexus.extractors.pdf.link._GRACE_SECONDS", PATIENCE_SECONDS)
    with pytest.raises(ExtractionError) as failed:
        # Three seconds to read it, and what is kept for later.
        extract(job_for(pdf_files.nested_forms(), seconds=33.0))
    assert failed.value.code == FailureCode.FILE_TOO_COMPLEX
    assert not isinstance(failed.value, TransientExtractionError)


@pytest.mark.heavy
def test_more_text_than_allowed() -> None:
    with capture_logs() as logs, pytest.raises(ExtractionError) as failed:
        read(pdf_files.much_text())
    assert failed.value.code == FailureCode.FILE_TOO_COMPLEX
    assert not isinstance(failed.value, TransientExtractionError)
    assert [line["reason"] for line in logs] == ["This PDF has too much text."]


@pytest.mark.heavy
def test_as_many_pages_as_allowed() -> None:
    assert len(read(pdf_files.blank_pages(5_000)).pages) == 5_000

"""What a page says about itself is believed as far as it is plausible."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from nexus.extractors.interface import Metadata
from nexus.extractors.web_article.metadata import MOST_AUTHORS, validated
from nexus.extractors.web_article.published import published_at

BASE = "https://site.example/a/page"


def test_a_whole_declaration() -> None:
    declared = {
        "authors": [" Jane\n Doe ", "Jane Doe", "John Roe"],
        "site_name": "The Site",
        "published_at": "2024-05-03T10:00:00.123Z",
        "language": "en_us",
        "direction": "ltr",
        "excerpt": "Ships & <b>sailors</b>",
        "lead_image_url": "../lead.jpg",
    }
    assert validated(declared, BASE) == Metadata(
        authors=("Jane Doe", "John Roe"),
        site_name="The Site",
        published_at="2024-05-03T10:00:00Z",
        language="en-US",
        excerpt="Ships & <b>sailors</b>",
        lead_image_url="https://site.example/lead.jpg",
    )


@pytest.mark.parametrize("declared", [None, {}, [], "x", 5, {"authors": None, "excerpt": ""}])
def test_nothing_is_declared(declared: object) -> None:
    assert validated(declared, BASE) == Metadata()


@pytest.mark.parametrize("value", [5, {}, ["x"], True, "", " \t\n"])
def test_what_is_no_text_is_dropped(value: Any) -> None:
    keys = ("site_name", "published_at", "language", "excerpt", "lead_image_url")
    declared = dict.fromkeys(keys, value) | {"authors": [value, 5, None]}
    expected = Metadata()
    assert validated(declared, BASE) == expected


def test_text_is_bounded_and_clean() -> None:
    declared = {
        "authors": [f"Jane {number}" for number in range(100)],
        "site_name": "a" * 100_000,
        "excerpt": "e\u0301\x00\ud800\u202e\u00ad x\u200cy\r\n\x1bz" + "b" * 5_000,
    }
    found = validated(declared, BASE)
    assert len(found.authors) == MOST_AUTHORS
    assert found.site_name == "a" * 199 + "…"
    assert found.excerpt is not None
    assert found.excerpt.startswith("é ? x\u200cy zb")
    assert len(found.excerpt) == 1_000


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("en", "en"),
        ("EN-gb", "en-GB"),
        ("zh_hant_tw", "zh-Hant-TW"),
        ("sr-Latn", "sr-Latn"),
        ("es-419", "es-419"),
        ("de-AT, de", "de-AT"),
        ("sl-rozaj-biske", "sl-rozaj-biske"),
        ("english", None),
        ("e", None),
        ("und", None),
        ("en-", None),
        ('en" onload="', None),
        ("<html>", None),
    ],
)
def test_languages(declared: str, expected: str | None) -> None:
    assert validated({"language": declared}, BASE).language == expected


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("//img.example/a.jpg", "https://img.example/a.jpg"),
        ("http://img.example/ä.jpg", "http://img.example/%C3%A4.jpg"),
        ("javascript:alert(1)", None),
        ("data:image/png;base64,AAAA", None),
        ("mailto:a@b.example", None),
        ("https://[", None),
        ("https://a.example/" + "x" * 10_000, None),
        ("https://a.example/\ud800", None),
    ],
)
def test_lead_images(declared: str, expected: str | None) -> None:
    assert validated({"lead_image_url": declared}, BASE).lead_image_url == expected


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("2024", "2024"),
        ("2024-05", "2024-05"),
        ("2024/5/3", "2024-05-03"),
        ("20240503", "2024-05-03"),
        ("2024-05-03T10:00", "2024-05-03"),
        ("2024-05-03 10:00:00", "2024-05-03"),
        ("2024-05-03T10:00:00+0200", "2024-05-03T10:00:00+02:00"),
        ("2024-05-03T10:00:00.0000000Z", "2024-05-03T10:00:00Z"),
        ("2024-05-03 10:00:00 UTC", "2024-05-03"),
        ("Fri, 03 May 2024 10:00:00 GMT", "2024-05-03T10:00:00Z"),
        ("Fri, 03 May 2024", "2024-05-03"),
        ("May 3, 2024", "2024-05-03"),
        ("Friday, May 3rd, 2024 10:00 AM", "2024-05-03"),
        ("3 May 2024", "2024-05-03"),
        ("3. Sept. 2023", "2023-09-03"),
        ("May 2024", "2024-05"),
        ("03.05.2024", "2024-05-03"),
        ("13/05/2024", "2024-05-13"),
        ("05/13/2024", "2024-05-13"),
        ("03/05/2024", "2024"),
        ("1714730400", "2024-05-03T10:00:00Z"),
        ("1714730400123", "2024-05-03T10:00:00Z"),
        ("1665", "1665"),
        ("2024-13-03", None),
        ("2024-02-30", None),
        ("0001-01-01T00:00:00Z", None),
        ("9999-12-31", None),
        ("9999999999", None),
        ("yesterday", None),
        ("12345", None),
        ("2024-05-03" + "9" * 80, None),
    ],
)
def test_dates(declared: str, expected: str | None) -> None:
    assert published_at(declared) == expected


def test_dates_in_the_future_are_mistakes() -> None:
    now = datetime.now(UTC)
    assert published_at((now + timedelta(days=1)).isoformat()) is not None
    assert published_at((now + timedelta(days=3)).isoformat()) is None
    assert published_at((now + timedelta(days=3)).date().isoformat()) is None

"""What items and tags are called, as words: of a title, its authors and site, an address."""

from collections.abc import Sequence
from urllib.parse import unquote

from sqlalchemy.orm import Session

from nexus.db.models import Media
from nexus.egress.url_parse import UrlError, parse_web_url
from nexus.extractors.kinds import FILE_KINDS
from nexus.search.dictionaries import choose_dictionary
from nexus.search.passages import HEAD_POSITIONS
from nexus.search.stems import DocumentStems
from nexus.search.vectors import Weight, vector
from nexus.search.words import split_words
from nexus.services.titles import clean_title

# Between title, authors and site, so that no phrase runs from one into the next.
_GAP = 10
_MOST_WORDS = HEAD_POSITIONS // 3 - _GAP


def name_item(session: Session, media: Media, *, dictionary: str | None = None) -> str:
    """Keep the words that an item is named by, for everyone who can read it, and return them.

    What has no name but an address keeps none: that is each person's own (`saved_addresses`).
    """
    by_address = _is_named_by_address(media)
    parts: tuple[tuple[str, Weight], ...] = (
        ("" if by_address else media.title, "A"),
        (", ".join(media.authors or ()), "B"),
        (f"{media.site_name or ''} {_host(media.canonical_url)}", "D"),
    )
    stems = DocumentStems(session, dictionary or choose_dictionary(media.language, media.title))
    found, position = [], 1
    for text, weight in parts:
        words = split_words(text)[:_MOST_WORDS]
        found.append(vector(words, stems.lexemes(words), first_position=position, weight=weight))
        position += len(words) + _GAP
    vectors = " ".join(found)
    media.words = None if by_address else vectors
    return vectors


def address_words(address: str, *, first_position: int = 1) -> str:
    """The words of an address, as the title of what has no other."""
    words = split_words(unquote(address.partition("://")[2]))[:_MOST_WORDS]
    return vector(words, {}, first_position=first_position, weight="A")


def saved_words(session: Session, saved: Sequence[tuple[str, str | None]]) -> list[str]:
    """The words of addresses, each with the title that the person has for it, if they have one."""
    titles = [split_words(title or "")[:_MOST_WORDS] for _, title in saved]
    # All in one dictionary, for one look into the database: they name an item for a while only.
    every = " ".join(title or "" for _, title in saved)
    stems = DocumentStems(session, choose_dictionary(None, every))
    lexemes = stems.lexemes(word for words in titles for word in words)
    return [
        " ".join(
            (
                vector(words, lexemes, weight="A"),
                address_words(address, first_position=len(words) + _GAP),
            )
        )
        for (address, _), words in zip(saved, titles, strict=True)
    ]


def tag_words(session: Session, name: str) -> str:
    """The words of a tag."""
    words = split_words(name)
    lexemes = DocumentStems(session, choose_dictionary(None, name)).lexemes(words)
    return vector(words, lexemes, weight="C")


def _is_named_by_address(media: Media) -> bool:
    if media.kind in FILE_KINDS:
        return False
    return media.title == clean_title(media.requested_url or media.canonical_url or "")


def _host(address: str | None) -> str:
    try:
        return parse_web_url(address or "").host.removeprefix("www.")
    except UrlError:
        return ""

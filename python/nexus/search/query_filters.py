"""The filters of a query.

    tag:name            with this tag; quote a name with spaces
    in:title            only titles; in:highlights, in:notes
    kind:pdf            article, pdf, book, video or podcast
    site:example.org    from this site or publisher
    author:orwell       by this author
    is:unread           unread, reading, finished, archived or favourite
    after:2024-05       saved on or after the first day of it; before: saved before that day

`tag:`, `kind:`, `site:`, `author:` and `is:` can be excluded: `-tag:work`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeVar

from nexus.db.enums import MediaKind, ReadingState
from nexus.errors import InvalidRequestError

Place = Literal["title", "highlights", "notes"]
Choice = TypeVar("Choice")

_PLACES: dict[str, Place] = {"title": "title", "highlights": "highlights", "notes": "notes"}
_KINDS = {
    "article": MediaKind.WEB_ARTICLE,
    "web_article": MediaKind.WEB_ARTICLE,
    "pdf": MediaKind.PDF,
    "book": MediaKind.EPUB,
    "epub": MediaKind.EPUB,
    "video": MediaKind.VIDEO,
    "podcast": MediaKind.PODCAST_EPISODE,
    "podcast_episode": MediaKind.PODCAST_EPISODE,
}
_IS: dict[str, ReadingState | str] = {
    **{state.value: state for state in ReadingState},
    "archived": "archived",
    "favourite": "favourite",
    "favorite": "favourite",
}
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
_MAX_VALUES = 20


def invalid(reason: str) -> InvalidRequestError:
    """A query that cannot be understood, and why."""
    return InvalidRequestError(reason, code="E_SEARCH_INVALID")


@dataclass(frozen=True, slots=True)
class Filters:
    """Which items are searched. What is empty or None restricts nothing."""

    places: frozenset[Place] = frozenset()
    tags: tuple[str, ...] = ()
    without_tags: tuple[str, ...] = ()
    kinds: frozenset[MediaKind] = frozenset()
    without_kinds: frozenset[MediaKind] = frozenset()
    sites: tuple[str, ...] = ()
    without_sites: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    without_authors: tuple[str, ...] = ()
    states: frozenset[ReadingState] = frozenset()
    without_states: frozenset[ReadingState] = frozenset()
    archived: bool | None = None
    favourite: bool | None = None
    saved_from: datetime | None = None
    saved_before: datetime | None = None


@dataclass(slots=True)
class FiltersReader:
    """Collects the filters of a query as they are met."""

    _values: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, value: str, *, without: bool) -> None:
        value = value.strip()
        if not value:
            raise invalid(f"“{name}:” needs a value after the colon.")
        if without and name in {"in", "before", "after"}:
            raise invalid(f"“{name}:” cannot be excluded. Leave out the “-” before it.")
        values = self._values.setdefault(("-" if without else "") + name, [])
        if len(values) == _MAX_VALUES:
            raise invalid(f"Use “{name}:” at most {_MAX_VALUES} times.")
        values.append(value)

    def read(self) -> Filters:
        return Filters(
            places=frozenset(_choice("in", value, _PLACES) for value in self._of("in")),
            tags=self._of("tag"),
            without_tags=self._of("-tag"),
            kinds=frozenset(_choice("kind", value, _KINDS) for value in self._of("kind")),
            without_kinds=frozenset(_choice("kind", value, _KINDS) for value in self._of("-kind")),
            sites=self._of("site"),
            without_sites=self._of("-site"),
            authors=self._of("author"),
            without_authors=self._of("-author"),
            states=self._states("is"),
            without_states=self._states("-is"),
            archived=self._flag("archived"),
            favourite=self._flag("favourite"),
            saved_from=max((_day("after", value) for value in self._of("after")), default=None),
            saved_before=min((_day("before", value) for value in self._of("before")), default=None),
        )

    def _of(self, name: str) -> tuple[str, ...]:
        return tuple(self._values.get(name, ()))

    def _is(self, name: str) -> set[ReadingState | str]:
        return {_choice("is", value, _IS) for value in self._of(name)}

    def _states(self, name: str) -> frozenset[ReadingState]:
        return frozenset(value for value in self._is(name) if isinstance(value, ReadingState))

    def _flag(self, name: str) -> bool | None:
        wanted, unwanted = name in self._is("is"), name in self._is("-is")
        if wanted and unwanted:
            raise invalid(f"Nothing is both “is:{name}” and “-is:{name}”. Remove one of them.")
        return True if wanted else False if unwanted else None


def _choice(name: str, value: str, choices: Mapping[str, Choice]) -> Choice:
    chosen = choices.get(value.lower())
    if chosen is None:
        values = ", ".join(choices)
        raise invalid(f"“{name}:” has no value “{value[:100]}”. It can be: {values}.")
    return chosen


def _day(name: str, value: str) -> datetime:
    """The first moment of a year, a month or a day."""
    written = _DATE.fullmatch(value)
    try:
        if written is None:
            raise ValueError("not a date")
        return datetime(*(int(part or 1) for part in written.groups()), tzinfo=UTC)  # type: ignore[arg-type, misc]
    except ValueError:
        raise invalid(
            f"“{name}:” needs a date such as 2024, 2024-05 or 2024-05-31, not “{value[:100]}”."
        ) from None

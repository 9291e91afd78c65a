"""What is looked for, and where it is."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

How = Literal["exact", "normalised", "approximate"]


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage as somebody else copied it, and what stood before and after it, if known."""

    text: str
    prefix: str = ""
    suffix: str = ""


class Range(NamedTuple):
    """Part of a document, in code points of one of its fragments."""

    fragment: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quote is."""

    fragment: int
    start: int
    end: int
    how: How

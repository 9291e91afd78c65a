"""The Range header of RFC 9110, one range at a time."""

import re
from dataclasses import dataclass

_SINGLE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{1,18})?|-([0-9]{1,18}))", re.IGNORECASE)


class RangeNotSatisfiable(Exception):
    """The range lies beyond the end of the object."""


@dataclass(frozen=True, slots=True)
class ByteRange:
    """Bytes `first` to `last`, both included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


def parse_range(header: str | None, size: int) -> ByteRange | None:
    """The requested range; None means all of it (RFC 9110 has malformed ranges ignored)."""
    match = _SINGLE.fullmatch(header.strip()) if header else None
    if match is None:
        return None
    first, last, suffix = match.groups()
    if suffix is not None:
        chosen = ByteRange(max(size - int(suffix), 0), size - 1)
    else:
        chosen = ByteRange(int(first), size - 1 if last is None else min(int(last), size - 1))
        if last is not None and int(last) < int(first):
            return None
    if chosen.first >= size:
        raise RangeNotSatisfiable
    return chosen

"""Single values as files have them: dates, addresses, colors, lists, whatever their spelling."""

import math
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from nexus.db.enums import HighlightColor, ReadingState
from nexus.egress.url_parse import MAX_URL_LENGTH, UrlError, parse_web_url

_NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")
# There was no web before; an earlier date is a mistake.
_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)

NO_ADDRESS = "It has no address."
NOT_A_WEB_ADDRESS = "Its address is not one of the web (http or https)."
BROKEN_ADDRESS = "Its address is broken."
ADDRESS_TOO_LONG = f"Its address is longer than {MAX_URL_LENGTH:,} characters."

_COLORS = {color.value: color for color in HighlightColor} | {
    "orange": HighlightColor.YELLOW,
    "red": HighlightColor.PINK,
    "magenta": HighlightColor.PINK,
    "violet": HighlightColor.PURPLE,
    "aqua": HighlightColor.BLUE,
    "cyan": HighlightColor.BLUE,
}


def text(value: Any) -> str:
    """A value as text that can be stored; empty if it is not text or a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return storable(str(value)).strip()


def storable(value: str) -> str:
    return _NOT_STORABLE.sub("", value)


def texts(value: Any) -> list[str]:
    """The texts in a list, without those that are empty."""
    return [found for each in value if (found := text(each))] if isinstance(value, list) else []


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def mappings(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def flag(value: Any) -> bool:
    """Whether it says yes, in any of the ways to say so."""
    return text(str(value)).casefold() in {"1", "true", "yes", "y"}


def number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def whole(value: Any) -> int | None:
    found = number(value)
    return None if found is None or abs(found) > 2**53 else int(found)


def fraction(value: Any) -> float | None:
    """How much was read, from a part of 1 or from percent."""
    found = number(value)
    if found is None or found < 0:
        return None
    return min(1.0, found / 100 if found > 1 else found)


def percent(value: Any) -> float | None:
    found = number(value)
    return None if found is None or found < 0 else min(1.0, found / 100)


def epoch(value: Any) -> datetime | None:
    """A date as seconds since 1970, or as milli-, micro- or nanoseconds if it is that large."""
    found = number(value)
    if found is None or found <= 0:
        return None
    while found >= 1e11:
        found /= 1000
    return _plausible(datetime.fromtimestamp(found, UTC))


def date(value: Any) -> datetime | None:
    """A date in one of the ISO spellings, or since 1970; UTC if it names no zone."""
    if not isinstance(value, str):
        return epoch(value)
    try:
        found = datetime.fromisoformat(value.strip())
    except ValueError:
        return epoch(value)
    return _plausible(found if found.tzinfo else found.replace(tzinfo=UTC))


def _plausible(found: datetime) -> datetime | None:
    try:
        found = found.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return found if _EARLIEST <= found < datetime.now(UTC) + timedelta(days=1) else None


def address_problem(address: str) -> str | None:
    """Why an address cannot be saved; None if it can."""
    if not address:
        return NO_ADDRESS
    if len(address) > MAX_URL_LENGTH:
        return ADDRESS_TOO_LONG
    if not address.lower().startswith(("http:", "https:")):
        return NOT_A_WEB_ADDRESS
    try:
        parse_web_url(address)
    except UrlError:
        return BROKEN_ADDRESS
    return None


def color(value: Any) -> HighlightColor | None:
    return _COLORS.get(text(value).casefold())


def separated(value: str, separator: str) -> list[str]:
    return [part for each in value.split(separator) if (part := each.strip())]


def state_of(progress: float | None) -> ReadingState | None:
    """Reading or finished, as far as someone has read; nothing, if they have not begun."""
    if not progress:
        return None
    return ReadingState.FINISHED if progress >= 1 else ReadingState.READING

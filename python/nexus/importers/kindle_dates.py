"""When a clipping was made, in the words of the language that a Kindle was set to."""

import re
from datetime import UTC, datetime

from nexus.importers.fields import date

# One line per language, from January on: en es fr de it pt nl ru.
_MONTHS = """
january february march april may june july august september october november december
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
januar februar märz april mai juni juli august september oktober november dezember
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
januari februari maart april mei juni juli augustus september oktober november december
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
"""
_MONTH_OF = {
    name: number
    for language in _MONTHS.split("\n")
    for number, name in enumerate(language.split(), 1)
}
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?\s?m\b)?", re.I)
_ASIAN = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_AFTERNOON, _MORNING = ("下午", "午後", "晚上"), ("上午", "午前", "早上", "凌晨")


def clipped_at(words: str) -> datetime | None:
    """None if the words are not understood; a date of which day and month may be swapped, too."""
    day = _day(words)
    if day is None:
        return None
    try:
        return date(datetime(*day, *_time(words), tzinfo=UTC).isoformat())
    except ValueError:
        return None


def _day(words: str) -> tuple[int, int, int] | None:
    numbers = _ASIAN.search(words) or _ISO.search(words)
    if numbers is not None:
        return int(numbers[1]), int(numbers[2]), int(numbers[3])
    month = next(
        (_MONTH_OF[w] for w in re.findall(r"[^\W\d]+", words.lower()) if w in _MONTH_OF), 0
    )
    year = re.search(r"\b(\d{4})\b", words)
    day = re.search(r"(?<![\d:])(\d{1,2})(?![\d:])", words)
    if not month or year is None or day is None:
        return None
    return int(year[1]), month, int(day[1])


def _time(words: str) -> tuple[int, int, int]:
    found = _TIME.search(words)
    if found is None:
        return 0, 0, 0
    hour = int(found[1])
    half = (found[4] or "").lower()
    if half == "p" or any(word in words for word in _AFTERNOON):
        hour = hour if hour >= 12 else hour + 12
    elif (half == "a" or any(word in words for word in _MORNING)) and hour == 12:
        hour = 0
    return hour, int(found[2]), int(found[3] or 0)

"""When a page was published: many ways to write a date, one way to store it."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

EARLIEST_YEAR = 1450
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_YEAR = r"(?P<year>\d{4})"
_TIME = r"(?:[T ,].*)?"
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}{_TIME}",
        rf"{_YEAR}[-/.](?P<month>\d{{1,2}}){_TIME}",
        rf"{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}}){_TIME}",
        rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d){_TIME}",
        rf"(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?{_YEAR}{_TIME}",
        rf"(?:[a-z]+,? )?{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? {_YEAR}{_TIME}",
        rf"(?:[a-z]+,? )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.? {_MONTH},? {_YEAR}{_TIME}",
        rf"{_MONTH},? {_YEAR}",
    )
]
# Which of the two is the month depends on the country, unless one of them cannot be.
_EITHER_ORDER = re.compile(rf"(\d{{1,2}})[/-](\d{{1,2}})[/-](\d{{4}}){_TIME}")
_EPOCH = re.compile(r"(\d{10})(\d{3})?")


def published_at(text: str) -> str | None:
    """An ISO 8601 date as exact as `text` has it, or a date and time where it names its zone."""
    moment = _moment(text)
    if moment is not None:
        exact = moment.replace(microsecond=0)
        return exact.isoformat().replace("+00:00", "Z") if _is_plausible(exact) else None
    return _date(text)


def _moment(text: str) -> datetime | None:
    epoch = _EPOCH.fullmatch(text)
    if epoch:
        return datetime.fromtimestamp(int(epoch[1]), UTC)
    if not re.search(r"\d:\d", text):
        return None
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = parse(text)
        except (ValueError, OverflowError):
            continue
        if found.tzinfo is not None:
            return found
    return None


def _date(text: str) -> str | None:
    for pattern in _DATES:
        match = pattern.fullmatch(text)
        if match:
            return _iso(match.groupdict())
    match = _EITHER_ORDER.fullmatch(text)
    return _iso(_in_order(*match.groups())) if match else None


def _in_order(first: str, second: str, year: str) -> dict[str, str]:
    if int(first) > 12:
        return {"year": year, "month": second, "day": first}
    if int(second) > 12 or first == second:
        return {"year": year, "month": first, "day": second}
    return {"year": year}


def _iso(parts: dict[str, str]) -> str | None:
    year, day = int(parts["year"]), int(parts.get("day") or 0)
    month = int(parts.get("month") or 0)
    if parts.get("name"):
        month = _MONTHS.index(parts["name"].lower()) + 1
    try:
        start = datetime(year, month or 1, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    if not _is_plausible(start):
        return None
    precision = 3 if day else 2 if month else 1
    return "-".join(start.date().isoformat().split("-")[:precision])


def _is_plausible(moment: datetime) -> bool:
    # Somewhere it is tomorrow already.
    return moment.year >= EARLIEST_YEAR and moment <= datetime.now(UTC) + timedelta(days=2)

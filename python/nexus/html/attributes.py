"""The attributes that stay on elements, apart from the addresses of links and images."""

import re
from collections.abc import Callable, Mapping

from selectolax.lexbor import LexborNode

from nexus.html.text import clean_attribute

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,5}")
_INTEGER = re.compile(r"[+-]?\d{1,9}", re.ASCII)

Attributes = Mapping[str, str | None]
Check = Callable[[str], str | None]


def language(value: str) -> str | None:
    """A tag in the form of BCP 47, or None."""
    return value if _LANGUAGE.fullmatch(value) else None


def _one_of(*values: str) -> Check:
    return lambda value: value.lower() if value.lower() in values else None


def _integer(value: str) -> str | None:
    return str(int(value)) if _INTEGER.fullmatch(value) else None


def _span(value: str) -> str | None:
    digits = value[:5]
    many = value.isascii() and value.isdigit() and 1 < int(digits) <= 1000
    return str(int(digits)) if many else None


def _numbering(value: str) -> str | None:
    return value if value in ("1", "a", "A", "i", "I") else None


def _title(value: str) -> str | None:
    return clean_attribute(value) or None


_CELL: dict[str, Check] = {"colspan": _span, "rowspan": _span}
# Each function returns the value to write, or None. The order here is the order in the output.
_CHECKS: dict[str, dict[str, Check]] = {
    "td": _CELL,
    "th": _CELL | {"scope": _one_of("row", "col", "rowgroup", "colgroup")},
    "ol": {"start": _integer, "reversed": lambda _: "", "type": _numbering},
    "li": {"value": _integer},
    "abbr": {"title": _title},
}
_EVERYWHERE: dict[str, Check] = {"lang": language, "dir": _one_of("ltr", "rtl", "auto")}

# Finds the elements that may have something to keep; most have nothing.
SELECTOR = ",".join(
    [
        *(f"{tag}[{name}]" for tag, checks in _CHECKS.items() for name in checks),
        *(f"[{name}]" for name in _EVERYWHERE),
        r"[xml\:lang]",
    ]
)
KEPT_ATTRIBUTES = {tag: set(checks) for tag, checks in _CHECKS.items()} | {
    "*": set(_EVERYWHERE),
    "details": {"open"},
}


def kept_attributes(node: LexborNode, tag: str) -> dict[str, str]:
    """What stays of an element's attributes, in the order in which they are written."""
    attributes = node.attributes
    kept = {}
    for name, check in (_CHECKS.get(tag, {}) | _EVERYWHERE).items():
        if name in attributes or name == "lang":
            value = check(_value(attributes, name).strip(" \t\n\f\r"))
            if value is not None:
                kept[name] = value
    return kept


def written(attributes: Mapping[str, str]) -> str:
    """Attributes as they stand in a tag, those that every element may have last."""
    if not attributes:
        return ""  # as most elements
    names = [*(name for name in attributes if name not in _EVERYWHERE), *_EVERYWHERE]
    return "".join(f' {name}="{attributes[name]}"' for name in names if name in attributes)


def _value(attributes: Attributes, name: str) -> str:
    value = attributes.get(name)
    if name == "lang" and not value:
        value = attributes.get("xml:lang")  # as in books
    return value or ""

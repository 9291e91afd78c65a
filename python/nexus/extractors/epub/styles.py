"""The little of a book's style sheets that carries meaning: which classes emphasize.

Books that other programs made write `<span class="c7">` where they mean `<em>`.
"""

import re

from nexus.extractors.epub.archive import Archive
from nexus.extractors.epub.markup import decoded
from nexus.extractors.epub.package import Package
from nexus.zips.problems import UnreadableEntry
from nexus.zips.reader import MIB

_MAX_SHEET = 2 * MIB
_MAX_SHEETS = 50
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
# A class alone: what else a rule depends on is not looked at.
_CLASS = re.compile(r"\s*(?:span)?\.([\w-]{1,100})\s*")
_MEANINGS = (
    (re.compile(r"(?:^|[;\s])font-style\s*:\s*(?:italic|oblique)", re.I), "em"),
    (re.compile(r"(?:^|[;\s])font-weight\s*:\s*(?:bold|[6-9]00)", re.I), "strong"),
    (re.compile(r"(?:^|[;\s])vertical-align\s*:\s*(?:super|top)", re.I), "sup"),
    (re.compile(r"(?:^|[;\s])vertical-align\s*:\s*sub", re.I), "sub"),
)


class Styles:
    """What a `span` means by its classes and its own style."""

    def __init__(self, sheets: list[str]) -> None:
        self._of_class: dict[str, tuple[str, ...]] = {}
        for sheet in sheets:
            for rule in _COMMENT.sub("", sheet).split("}")[:-1]:
                # What is around it, such as a media query, is not looked at.
                selectors, declarations = ["", "", *rule.split("{")][-2:]
                meaning = _meaning(declarations)
                for selector in selectors.split(",") if meaning else ():
                    found = _CLASS.fullmatch(selector)
                    if found:
                        self._of_class[found[1]] = meaning

    def tags(self, classes: str, style: str) -> list[str]:
        """The elements that say the same."""
        found = [tag for name in classes.split() for tag in self._of_class.get(name, ())]
        return list(dict.fromkeys([*found, *_meaning(style)] if style else found))


def read_styles(archive: Archive, package: Package) -> Styles:
    """The style sheets of a book; one that cannot be read says nothing."""
    sheets = []
    listed = [item for item in package.items.values() if item.media_type == "text/css"]
    for item in listed[:_MAX_SHEETS]:
        try:
            sheets.append(decoded(archive.read(item.name))[:_MAX_SHEET])
        except UnreadableEntry:
            continue
    return Styles(sheets)


def _meaning(declarations: str) -> tuple[str, ...]:
    return tuple(tag for pattern, tag in _MEANINGS if pattern.search(declarations))

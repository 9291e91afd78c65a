"""Formulas: MathML Core, presentation elements only, written so that no parser can leave it.

An HTML parser goes back to HTML inside token elements and `annotation-xml`, which is what attacks
on sanitizers are made of. Here a token element holds text alone and `annotation-xml` is never
written, so there is no markup in a place where its namespace could be in doubt.
"""

import re
from contextlib import suppress
from functools import lru_cache
from unicodedata import lookup

from selectolax.lexbor import LexborNode

from nexus.html.tags import (
    BLOCKS,
    BOXES,
    MATH_CONTAINERS,
    MATH_EMPTY,
    MATH_TOKENS,
    REMOVED_WITH_CONTENT,
    names,
)
from nexus.html.text import clean_text, escape_text, normal_text

# Deeper elements are unwrapped. Formulas of pages stay far below.
MAX_DEPTH = 100
MAX_TEX_CHARACTERS = 10_000

_ANNOTATIONS = names("annotation annotation-xml")
_UNSEEN = (REMOVED_WITH_CONTENT | _ANNOTATIONS) - {"math"}
# Of these only one child is shown.
_CHOICES = names("semantics maction")
_RENAMED = {"mlabeledtr": "mtr"}
_BREAKS_WORDS = BLOCKS | BOXES | {"br"}
_TEX = names("application/x-tex text/x-tex latex tex")
_SPACES = re.compile(r"[ \t\n\f\r]+")

_BOOLEAN = re.compile(r"true|false")
_SPAN = re.compile(r"[1-9]\d?", re.ASCII)
# Small enough that nothing is drawn far from its place.
_LENGTH = re.compile(r"0|(?:(?:-?\d|\d\d)(?:\.\d{1,8})?|-?\.\d{1,8})(?:em|ex|px|pt)", re.ASCII)
_ALIGNMENT = re.compile(r"(?:left|center|right)(?: (?:left|center|right)){0,30}")
_EVERYWHERE = {
    "dir": re.compile(r"ltr|rtl"),
    "displaystyle": _BOOLEAN,
    "scriptlevel": re.compile(r"[+-]?\d", re.ASCII),
    "mathvariant": re.compile(r"normal|bold|italic|bold-italic"),
}
# Of these, browsers know only the letters that Unicode has: a double-struck R is ℝ.
_ALPHABETS = {
    "double-struck": "DOUBLE-STRUCK",
    "script": "SCRIPT",
    "bold-script": "BOLD SCRIPT",
    "fraktur": "FRAKTUR",
    "bold-fraktur": "BOLD FRAKTUR",
}
_SIZE = {"width": _LENGTH, "height": _LENGTH, "depth": _LENGTH}
_ACCENT = {"accent": _BOOLEAN}
_ACCENT_UNDER = {"accentunder": _BOOLEAN}
_ATTRIBUTES = {
    "math": {"display": re.compile(r"block|inline")},
    "mo": {
        "form": re.compile(r"prefix|infix|postfix"),
        **dict.fromkeys(
            names("stretchy symmetric largeop movablelimits fence separator"), _BOOLEAN
        ),
        **dict.fromkeys(names("lspace rspace minsize maxsize"), _LENGTH),
    },
    "mspace": _SIZE,
    "mpadded": _SIZE | {"lspace": _LENGTH, "voffset": _LENGTH},
    "mfrac": {"linethickness": _LENGTH},
    "mover": _ACCENT,
    "munder": _ACCENT_UNDER,
    "munderover": _ACCENT | _ACCENT_UNDER,
    "mtable": {"columnalign": _ALIGNMENT},
    "mtd": {"columnspan": _SPAN, "rowspan": _SPAN, "columnalign": _ALIGNMENT},
}
MATH_ATTRIBUTES = {
    tag: {*_EVERYWHERE, *_ATTRIBUTES.get(tag, {})}
    for tag in MATH_TOKENS | MATH_EMPTY | MATH_CONTAINERS | {"math"}
}


def formula(math: LexborNode) -> str:
    """A `math` element as it is stored; nothing if it holds no text."""
    return _Formula(math).written()


def is_display(markup: str) -> bool:
    """Whether a written formula stands on a line of its own."""
    return 'display="block"' in markup.partition(">")[0]


def tex_source(math: LexborNode) -> str:
    """The TeX that a formula was made from, if it says so."""
    for note in math.css("annotation"):
        if (note.attributes.get("encoding") or "").strip().lower() in _TEX:
            return clean_text(note.text()).strip()[:MAX_TEX_CHARACTERS]
    return ""


class _Open:
    """An element being written: how it ends, and what comes between its children."""

    __slots__ = ("closing", "count", "is_choice", "node", "separators")

    def __init__(self, node: LexborNode, closing: str, separators: str = "") -> None:
        self.node = node
        self.closing = closing
        self.separators = separators
        self.is_choice = node.tag in _CHOICES
        self.count = 0


class _Formula:
    """One walk over a `math` element, without recursion."""

    def __init__(self, math: LexborNode) -> None:
        self._math = math
        self._parts = [f"<math{_attributes(math, 'math')}>"]
        self._open = [_Open(math, "</math>")]
        self._has_text = False

    def written(self) -> str:
        node = self._math.child
        while self._open:
            if node is None:
                ended = self._open.pop()
                self._parts.append(ended.closing)
                node = self._next(ended.node) if self._open else None
            elif self._is_shown(node):
                self._separate()
                child = self._write(node)
                node = child or (None if self._entered(node) else self._next(node))
            else:
                node = node.next
        return "".join(self._parts) if self._has_text else ""

    def _entered(self, node: LexborNode) -> bool:
        return self._open[-1].node.mem_id == node.mem_id

    def _next(self, node: LexborNode) -> LexborNode | None:
        return None if self._open[-1].is_choice else node.next

    def _is_shown(self, node: LexborNode) -> bool:
        tag = node.tag
        if tag == "-text":
            return bool(_SPACES.sub("", node.text_content or ""))
        return tag is not None and tag[0] not in "-!" and tag not in _UNSEEN

    def _separate(self) -> None:
        parent = self._open[-1]
        if parent.separators and parent.count:
            separator = parent.separators[min(parent.count, len(parent.separators)) - 1]
            self._parts.append(f"<mo>{escape_text(separator)}</mo>")
        parent.count += 1

    def _write(self, node: LexborNode) -> LexborNode | None:
        """Write a token, or open anything else and return its first child."""
        tag = node.tag or ""
        if tag == "-text":
            self._token("mtext", "", node.text_content or "")
        elif tag in MATH_TOKENS:
            variant = (node.attributes.get("mathvariant") or "").strip().lower()
            text = _flat_text(node)
            if variant in _ALPHABETS:
                text = "".join(_letter(each, _ALPHABETS[variant]) for each in text)
            self._token(tag, _attributes(node, tag), text)
        elif tag in MATH_EMPTY:
            self._parts.append(f"<{tag}{_attributes(node, tag)}></{tag}>")
        else:
            self._enter(node, _RENAMED.get(tag, tag))
            return node.child
        return None

    def _token(self, tag: str, attributes: str, text: str) -> None:
        text = normal_text(_SPACES.sub(" ", clean_text(text)).strip(" "))
        self._has_text = self._has_text or not (text == "" or text.isspace())
        self._parts.append(f"<{tag}{attributes}>{escape_text(text)}</{tag}>")

    def _enter(self, node: LexborNode, tag: str) -> None:
        if tag in _CHOICES or len(self._open) > MAX_DEPTH:
            self._open.append(_Open(node, ""))
        elif tag == "mfenced":
            before, after, separators = _fences(node)
            self._parts.append(f"<mrow>{before}")
            self._open.append(_Open(node, f"{after}</mrow>", separators))
        elif tag in MATH_CONTAINERS:
            self._parts.append(f"<{tag}{_attributes(node, tag)}>")
            self._open.append(_Open(node, f"</{tag}>"))
        else:
            # Whatever it is, its place among its neighbours matters.
            self._parts.append("<mrow>")
            self._open.append(_Open(node, "</mrow>"))


def _attributes(node: LexborNode, tag: str) -> str:
    kept = ""
    for name, value in node.attributes.items():
        pattern = _ATTRIBUTES.get(tag, {}).get(name) or _EVERYWHERE.get(name)
        if pattern is not None and value is not None:
            value = " ".join(value.lower().split())
            if pattern.fullmatch(value):
                kept += f' {name}="{value}"'
    return kept


@lru_cache(maxsize=512)
def _letter(letter: str, alphabet: str) -> str:
    if not (letter.isascii() and letter.isalpha()):
        return letter
    name = f"{alphabet} {'CAPITAL' if letter.isupper() else 'SMALL'} {letter.upper()}"
    # Some were there before the others, under shorter names.
    for known in (f"MATHEMATICAL {name}", name, name.replace("FRAKTUR", "BLACK-LETTER")):
        with suppress(KeyError):
            return lookup(known)
    return letter


def _fences(node: LexborNode) -> tuple[str, str, str]:
    """What `mfenced`, which browsers no longer know, puts before, after and between."""
    found = {
        name: _SPACES.sub("", clean_text(value or ""))[:10]
        for name, value in node.attributes.items()
        if name in ("open", "close", "separators")
    }
    before, after = (
        f"<mo>{escape_text(normal_text(mark))}</mo>" if mark else ""
        for mark in (found.get("open", "("), found.get("close", ")"))
    )
    return before, after, normal_text(found.get("separators", ","))


def _flat_text(token: LexborNode) -> str:
    """The text of a token element, whatever markup it holds."""
    pieces: list[str] = []
    open_elements: list[LexborNode] = []
    node = token.child
    while node is not None or open_elements:
        if node is None:
            node = open_elements.pop()
            pieces.append(" " if node.tag in _BREAKS_WORDS else "")
        elif node.tag == "-text":
            pieces.append(node.text_content or "")
        elif node.tag is not None and node.tag not in _UNSEEN:
            pieces.append(" " if node.tag in _BREAKS_WORDS else "")
            if node.child is not None:
                open_elements.append(node)
                node = node.child
                continue
        node = node.next
    return "".join(pieces)

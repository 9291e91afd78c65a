"""Writes the elements of a book's document as HTML for the pipeline of articles.

Links get the numbers of the documents they lead to, pictures the paths they are shown from, and
what only a reading system for books could show leaves words or nothing.
"""

import re
from collections.abc import Callable
from html import escape

from nexus.extractors.epub.links import START, Links, is_remote
from nexus.extractors.epub.markup import attributes_of, local_name
from nexus.extractors.epub.styles import Styles
from nexus.html.tags import MATH_CONTAINERS, MATH_EMPTY, MATH_TOKENS, names

VOID = names("br hr wbr col img area input embed")
_DROPPED = names(
    "script style head template link meta base title param source track trigger"
    " select textarea button"
)
_TRANSPARENT = names("html body noscript foreignobject picture form fieldset")
_OF_MATH = (
    MATH_TOKENS
    | MATH_EMPTY
    | MATH_CONTAINERS
    | names("math semantics annotation annotation-xml mfenced menclose maction mlabeledtr")
)
_MATHML = "http://www.w3.org/1998/Math/MathML"
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
_PLAIN_ATTRIBUTE = re.compile(r"[a-z][a-z-]{0,30}")
_KEPT = names(
    "id lang dir title colspan rowspan scope start reversed value hidden aria-hidden style open"
)
_NOTES = names("footnote endnote rearnote note")
_HIDING = names("hidden aria-hidden style")
_RAISED_NOTE = "</a></sup>"
_LABELS = {"video": "[Video]", "audio": "[Audio]"}

# What becomes of the text inside an element.
_WRITTEN, _SILENT, _CAPTION, _SKIPPED = range(4)


class PageWriter:
    """Takes the elements of a document and writes HTML."""

    def __init__(self, links: Links, styles: Styles, *, is_svg: bool) -> None:
        self._links = links
        self._styles = styles
        self._is_svg = is_svg
        self._parts: list[str] = []
        # The end tag of each open element, and what happened to text before it.
        self._open: list[tuple[str, int]] = []
        self._mode = _WRITTEN
        self._caption: list[str] = []
        self._pictures_before: list[int] = []
        self._pictures = 0
        self._has_math_case = False

    def result(self) -> str:
        html = "".join(self._parts)
        return f'<span id="{START}"></span>{html}' if self._links.needs_start else html

    def start(self, name: str, given: dict[str, str]) -> None:
        closing, mode = "", self._mode
        if mode != _SKIPPED:
            tag = local_name(name).lower()
            closing, mode = self._enter(tag, attributes_of(given))
        self._open.append((closing, self._mode))
        self._mode = mode

    def end(self, _name: str) -> None:
        closing, self._mode = self._open.pop()
        if closing == "</svg>":
            self._leave_svg()
        elif closing:
            self._parts.append(closing)

    def text(self, data: str) -> None:
        if self._mode == _WRITTEN:
            self._parts.append(escape(data, quote=False))
        elif self._mode == _CAPTION:
            self._caption.append(data)

    def _enter(self, tag: str, attributes: dict[str, str]) -> tuple[str, int]:
        """What ends the element, and what becomes of the text in it."""
        if self._mode == _SILENT:
            return self._enter_in_svg(tag, attributes)
        kinds = attributes.get("epub:type", "").split()
        if "pagebreak" in kinds or attributes.get("role") == "doc-pagebreak":
            self._anchor(attributes)
            return "", _SKIPPED
        if tag in _DROPPED:
            return "", _SKIPPED
        special = _SPECIAL.get(tag)
        if special is not None:
            return special(self, attributes)
        if tag in _TRANSPARENT:
            self._anchor(attributes)
            return "", _WRITTEN
        if tag in _OF_MATH:
            kept = {k: v for k, v in attributes.items() if _PLAIN_ATTRIBUTE.fullmatch(k)}
            self._parts.append(f"<{tag}{_written(kept, without=('href', 'src'))}>")
            return f"</{tag}>", _WRITTEN
        return self._enter_plain(tag, attributes)

    def _enter_plain(self, tag: str, attributes: dict[str, str]) -> tuple[str, int]:
        tag = "pre" if tag == "plaintext" else tag
        tag = tag if _PLAIN_NAME.fullmatch(tag) else "span"
        kept = {k: v for k, v in attributes.items() if k in _KEPT or (tag == "ol" and k == "type")}
        if not _NOTES.isdisjoint(attributes.get("epub:type", "").split()):
            # Shown at its reference only, but then its text must be there.
            kept = {name: value for name, value in kept.items() if name not in _HIDING}
        opening, closing = f"<{tag}{_written(kept)}>", "" if tag in VOID else f"</{tag}>"
        if tag == "span":
            for meant in self._styles.tags(attributes.get("class", ""), kept.get("style", "")):
                opening, closing = f"{opening}<{meant}>", f"</{meant}>{closing}"
        self._parts.append(opening)
        return closing, _WRITTEN

    def _anchor(self, attributes: dict[str, str]) -> None:
        """A place to link to where the element itself is not written."""
        if attributes.get("id"):
            self._parts.append(f"<span{_written({'id': attributes['id']})}></span>")

    def enter_a(self, attributes: dict[str, str]) -> tuple[str, int]:
        href = self._links.link(attributes.get("href", ""))
        if href is None:
            self._anchor({"id": attributes.get("name", "")})
            return self._enter_plain("span", attributes)
        kept = {k: attributes[k] for k in ("id", "name", "title") if k in attributes}
        is_note = "noteref" in attributes.get("epub:type", "") or "noteref" in attributes.get(
            "role", ""
        )
        link = f"<a{_written(kept | {'href': href})}>"
        if is_note and not self._is_raised():
            self._parts.append(f"<sup>{link}")
            return _RAISED_NOTE, _WRITTEN
        self._parts.append(link)
        return "</a>", _WRITTEN

    def enter_sup(self, attributes: dict[str, str]) -> tuple[str, int]:
        if not any(closing == _RAISED_NOTE for closing, _ in self._open):
            return self._enter_plain("sup", attributes)
        self._anchor(attributes)
        return "", _WRITTEN

    def _is_raised(self) -> bool:
        return any("</sup>" in closing for closing, _ in self._open)

    # Pictures

    def enter_picture(self, attributes: dict[str, str]) -> tuple[str, int]:
        self._anchor(attributes)
        self._picture(attributes.get("src", ""), attributes.get("alt", ""))
        return "", _SKIPPED

    def _picture(self, src: str, alt: str) -> None:
        alt = " ".join(alt.split())
        path = self._links.picture(src)
        if path is not None:
            self._pictures += 1
            self._parts.append(f'<img src="{path}" alt="{escape(alt)}">')
        elif is_remote(src):
            # Never fetched: the site would learn who reads the book.
            label = escape(alt or "Picture", quote=False)
            self._parts.append(f'<a href="{escape(src.strip())}">[{label}]</a>')
        elif alt:
            self._parts.append(f"[{escape(alt, quote=False)}]")

    def enter_object(self, attributes: dict[str, str]) -> tuple[str, int]:
        self._anchor(attributes)
        path = self._links.picture(attributes.get("data", ""))
        if path is None:
            return "", _WRITTEN
        self._picture(attributes["data"], attributes.get("title", ""))
        return "", _SKIPPED

    def enter_embedded(self, tag: str, attributes: dict[str, str]) -> tuple[str, int]:
        """What plays: a link to the web, or a word for what is in the book only."""
        self._anchor(attributes)
        src = attributes.get("src", "")
        if is_remote(src):
            self._parts.append(f"<iframe{_written({'src': src})}></iframe>")
        else:
            poster = attributes.get("poster", "")
            if poster or tag == "embed":
                self._picture(poster or src, "")
            label = attributes.get("title") or attributes.get("aria-label") or _LABELS.get(tag, "")
            self._parts.append(f"<div>{escape(label, quote=False)}</div>" if label else "")
        return "", _SKIPPED

    # SVG: never kept, except for what it wraps

    def enter_svg(self, attributes: dict[str, str]) -> tuple[str, int]:
        self._anchor(attributes)
        self._pictures_before.append(self._pictures)
        self._caption = [attributes.get("aria-label", "")]
        return "</svg>", _SILENT

    def _enter_in_svg(self, tag: str, attributes: dict[str, str]) -> tuple[str, int]:
        if tag in ("title", "desc"):
            self._caption.append(" ")
            return "", _CAPTION
        if tag == "image":
            href = attributes.get("href", "")
            self._picture(href, "".join(self._caption))
        elif tag == "text" and self._is_svg:
            self._parts.append("<p>")
            return "</p>", _WRITTEN
        elif tag == "foreignobject":
            return "", _WRITTEN
        return "", _SKIPPED if tag in ("script", "style", "metadata") else _SILENT

    def _leave_svg(self) -> None:
        caption = " ".join("".join(self._caption).split())
        if self._pictures_before.pop() == self._pictures and caption:
            self._parts.append(f"[{escape(caption, quote=False)}]")
        self._caption = []

    # Alternatives

    def enter_switch(self, _attributes: dict[str, str]) -> tuple[str, int]:
        self._has_math_case = False
        return "", _WRITTEN

    def enter_case(self, attributes: dict[str, str]) -> tuple[str, int]:
        if attributes.get("required-namespace") != _MATHML or self._has_math_case:
            return "", _SKIPPED
        self._has_math_case = True
        return "", _WRITTEN

    def enter_default(self, _attributes: dict[str, str]) -> tuple[str, int]:
        return "", _SKIPPED if self._has_math_case else _WRITTEN


_Enter = Callable[[PageWriter, dict[str, str]], tuple[str, int]]


def _embedded(tag: str) -> _Enter:
    return lambda page, attributes: page.enter_embedded(tag, attributes)


_SPECIAL: dict[str, _Enter] = {
    "a": PageWriter.enter_a,
    "sup": PageWriter.enter_sup,
    "img": PageWriter.enter_picture,
    "image": PageWriter.enter_picture,
    "object": PageWriter.enter_object,
    "svg": PageWriter.enter_svg,
    "switch": PageWriter.enter_switch,
    "case": PageWriter.enter_case,
    "default": PageWriter.enter_default,
    **{tag: _embedded(tag) for tag in ("embed", "iframe", "video", "audio")},
}


def _written(attributes: dict[str, str], *, without: tuple[str, ...] = ()) -> str:
    return "".join(
        f' {name}="{escape(value)}"' for name, value in attributes.items() if name not in without
    )

"""The documents of a book as HTML: read as XML, or as HTML where they are not well-formed."""

import re
from html import escape

from selectolax.lexbor import LexborNode

from nexus.extractors.epub.links import Links
from nexus.extractors.epub.markup import (
    MarkupError,
    decoded,
    new_parser,
    run_parser,
    without_doctype,
)
from nexus.extractors.epub.page_writer import VOID, PageWriter
from nexus.extractors.epub.styles import Styles
from nexus.html.source import SizeLimits, parse_untrusted_html

# What XML closes in one tag, and HTML would take for a start.
_SELF_CLOSED = re.compile(r"<([a-zA-Z][\w:-]*)(\s[^<>]*)?/>")
_CDATA, _CDATA_END = "<![CDATA[", "]]>"


def convert(
    data: bytes, links: Links, styles: Styles, limits: SizeLimits, *, is_svg: bool = False
) -> str:
    """One document as HTML."""
    text = decoded(data)
    try:
        return _from_xml(text, PageWriter(links, styles, is_svg=is_svg))
    except MarkupError:
        return _from_html(text, PageWriter(links, styles, is_svg=is_svg), limits)


def _from_xml(text: str, page: PageWriter) -> str:
    parser = new_parser()
    parser.StartElementHandler = page.start
    parser.EndElementHandler = page.end
    parser.CharacterDataHandler = page.text
    run_parser(parser, text.lstrip())
    return page.result()


def _from_html(text: str, page: PageWriter, limits: SizeLimits) -> str:
    text = _SELF_CLOSED.sub(_closed, _without_cdata(without_doctype(text)))
    node: LexborNode | None = parse_untrusted_html(text, limits)
    open_elements: list[LexborNode] = []
    while node is not None or open_elements:
        if node is None:
            node = open_elements.pop()
            page.end(node.tag or "")
        elif node.tag == "-text":
            page.text(node.text_content or "")
        elif node.tag is not None and not node.tag.startswith(("-", "!")):
            page.start(node.tag, {name: value or "" for name, value in node.attributes.items()})
            open_elements.append(node)
            node = node.child
            continue
        # The body itself has nothing beside it that would count.
        node = node.next if open_elements else None
    return page.result()


def _closed(tag: re.Match[str]) -> str:
    name, rest = tag[1], tag[2] or ""
    return tag[0] if name.lower() in VOID else f"<{name}{rest}></{name}>"


def _without_cdata(text: str) -> str:
    parts, position = [], 0
    while (start := text.find(_CDATA, position)) >= 0:
        end = text.find(_CDATA_END, start)
        if end < 0:
            break
        inside = escape(text[start + len(_CDATA) : end], quote=False)
        parts += [text[position:start], inside]
        position = end + len(_CDATA_END)
    return "".join([*parts, text[position:]])

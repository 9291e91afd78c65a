"""Turns a page's HTML into the only HTML Nexus stores and shows.

Three steps: parse as HTML5 (`source`), walk the tree and write what may stay in a normal
form (here and in `writer`), and pass the result through nh3, whose allowlist has the last
word. The result is a fixed point, and a browser that parses it serializes the same string.
"""

import re
from functools import lru_cache
from typing import NewType, cast

import nh3
from selectolax.lexbor import LexborNode

from nexus.html.attributes import KEPT_ATTRIBUTES, SELECTOR, kept_attributes
from nexus.html.blocks import Block
from nexus.html.embeds import embed_address, embed_label
from nexus.html.mathml import MATH_ATTRIBUTES, formula, is_display, tex_source
from nexus.html.source import SanitizationError, check_size, parse_untrusted_html
from nexus.html.tags import (
    ALLOWED_TAGS,
    BLOCKS,
    BOXES,
    EMBEDS,
    INLINE,
    REMOVED_WITH_CONTENT,
    RENAMED,
)
from nexus.html.text import clean_attribute, escape_attribute
from nexus.html.urls import IMAGE_PROXY_PREFIX, LINK_SCHEMES, UrlResolver, image_src
from nexus.html.writer import OutputTooLargeError, Writer

__all__ = ["SanitizationError", "SanitizedHtml", "sanitize_html"]

SanitizedHtml = NewType("SanitizedHtml", str)
"""HTML that `sanitize_html` made. Nothing else may be stored as `html_sanitized`."""

_STYLE_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_STYLE_MAKES_BLOCK = re.compile(r"display\s*:\s*(?:block|flex|grid|list-item|table)", re.I)
_REL_WORD = re.compile(r"[a-z][a-z-]{0,30}")
_MAX_REL = 200  # bounds what a page can make us remember of one link
_MAX_PASSES = 3


def sanitize_html(html: str, base_url: str) -> SanitizedHtml:
    """Sanitize a page or a part of one; relative URLs are resolved against `base_url`.

    Raises SanitizationError when the page is beyond the limits.
    """
    urls = UrlResolver(base_url)
    for _ in range(_MAX_PASSES):
        written = write_normal_form(html, urls)
        html = ALLOWLIST.clean(written)
        if html == written:
            check_size(html)
            return SanitizedHtml(html)
    raise SanitizationError("The page's HTML could not be brought into a stable form.")


ALLOWED_ATTRIBUTES = {
    "a": {"href", "title", "rel", "target", "referrerpolicy"},
    "img": {"src", "alt"},
    **KEPT_ATTRIBUTES,
    **MATH_ATTRIBUTES,
}


def _keep_attribute(tag: str, name: str, value: str) -> str | None:
    is_foreign_image = tag == "img" and name == "src" and not value.startswith(IMAGE_PROXY_PREFIX)
    return None if is_foreign_image else value


ALLOWLIST = nh3.Cleaner(
    tags=set(ALLOWED_TAGS),
    clean_content_tags={"script", "style"},
    attributes=ALLOWED_ATTRIBUTES,
    attribute_filter=_keep_attribute,
    url_schemes=set(LINK_SCHEMES),
    url_relative=lambda url: url if url.startswith(IMAGE_PROXY_PREFIX) else None,
    link_rel=None,
    strip_comments=True,
)


def write_normal_form(html: str, urls: UrlResolver) -> str:
    """The first two steps: what may stay, written as `writer` describes."""
    body = parse_untrusted_html(html)
    if body is None:
        return ""
    _put_titles_first(body)
    try:
        return _Walk(body, urls).run()
    except OutputTooLargeError as error:
        raise SanitizationError("The page is too large once it is cleaned up.") from error


def _put_titles_first(body: LexborNode) -> None:
    """Browsers show a caption or summary first, wherever it stands; a second is ordinary text."""
    seen: set[int] = set()
    for title in body.css("table > caption, details > summary"):
        parent = cast(LexborNode, title.parent)
        first = cast(LexborNode, parent.child)
        if parent.mem_id not in seen:
            seen.add(parent.mem_id)
            if first.mem_id != title.mem_id:
                first.insert_before(title, move=True)
        elif title.tag == "caption":
            parent.insert_before(title, move=True)


class _Walk:
    """One walk over a tree in document order, without recursion; a Writer gets what to keep."""

    def __init__(self, body: LexborNode, urls: UrlResolver) -> None:
        self._body = body
        self._urls = urls
        self._writer = Writer()
        self._hidden: set[int] = set()
        self._styled_as_block: set[int] = set()
        for node in body.css("[hidden],[aria-hidden],[style],dialog"):
            self._note_visibility(node)
        self._with_attributes = {node.mem_id for node in body.css(SELECTOR)}

    def run(self) -> str:
        # Each entry is an element being walked, and what leaving it means to the writer.
        open_elements: list[tuple[LexborNode, str, Block | None]] = []
        hidden = self._hidden
        node = self._body.child
        while node is not None or open_elements:
            if node is None:
                element, kind, block = open_elements.pop()
                self._leave(kind, block)
                node = element.next
                continue
            tag = node.tag
            if tag == "-text":
                self._writer.text(node.text_content or "")
            elif tag in REMOVED_WITH_CONTENT:
                self._removed(node, tag)
            elif tag is not None:
                child = node.child
                if child is not None and not (hidden and node.mem_id in hidden):
                    open_elements.append((node, *self._enter(node, RENAMED.get(tag, tag))))
                    node = child
                    continue
                self._childless(node, tag)
            node = node.next
        return self._writer.result()

    def _note_visibility(self, node: LexborNode) -> None:
        attributes = node.attributes
        style = attributes.get("style") or ""
        if (
            "hidden" in attributes
            or (attributes.get("aria-hidden") or "").strip().lower() == "true"
            or (node.tag == "dialog" and "open" not in attributes)
            or _STYLE_HIDES.search(style)
        ):
            self._hidden.add(node.mem_id)
        elif style and _STYLE_MAKES_BLOCK.search(style):
            self._styled_as_block.add(node.mem_id)

    def _enter(self, node: LexborNode, tag: str) -> tuple[str, Block | None]:
        writer = self._writer
        if tag in INLINE:
            if tag in ("rt", "rb") and not writer.is_directly_in("ruby"):
                return self._enter_stray_reading(tag)
            return ("inline" if writer.enter_inline(tag, self._attributes(node, tag)) else "", None)
        if tag in BLOCKS:
            block = writer.enter_block(tag, self._attributes(node, tag))
            return ("block", block) if block else ("box", writer.enter_box())
        if tag in BOXES or node.mem_id in self._styled_as_block:
            return "box", writer.enter_box()
        return "", None

    def _enter_stray_reading(self, tag: str) -> tuple[str, None]:
        if tag == "rt":
            self._writer.text("(")
        return tag, None

    def _attributes(self, node: LexborNode, tag: str) -> str:
        kept = kept_attributes(node, tag) if node.mem_id in self._with_attributes else ""
        if tag == "a":
            return _link_attributes(node, self._urls) + kept
        return f' open=""{kept}' if tag == "details" else kept

    def _leave(self, kind: str, block: Block | None) -> None:
        if kind == "inline":
            self._writer.leave_inline()
        elif kind == "rt":
            self._writer.text(")")
        elif block is not None:
            (self._writer.leave_block if kind == "block" else self._writer.leave_box)(block)

    def _removed(self, node: LexborNode, tag: str) -> None:
        """An element that goes with its content, and what is left in its place."""
        if node.mem_id in self._hidden:
            return
        if tag == "math":
            self._formula(node)
        elif tag in EMBEDS:
            self._embed(node, tag)

    def _formula(self, node: LexborNode) -> None:
        writer = self._writer
        markup = formula(node)
        if markup:
            (writer.atom_apart if is_display(markup) else writer.atom)(markup)
            return
        tex = tex_source(node)
        if tex:
            entered = writer.enter_inline("code")
            writer.text(tex)
            if entered:
                writer.leave_inline()

    def _embed(self, node: LexborNode, tag: str) -> None:
        writer = self._writer
        address = embed_address(node, self._urls)
        if address is None:
            return
        box = writer.enter_box()
        linked = writer.enter_inline("a", _address_attributes(address, "", ""))
        poster = self._urls.image(node.attributes.get("poster") or "")
        if poster:
            writer.atom(f'<img src="{poster}" alt="">')
            writer.line_break("<br>")
        writer.text(embed_label(tag, address))
        if linked:
            writer.leave_inline()
        writer.leave_box(box)

    def _childless(self, node: LexborNode, tag: str) -> None:
        if tag in ("br", "wbr"):
            self._writer.line_break(f"<{tag}>")
        elif node.mem_id in self._hidden:
            self._edge(tag)
        elif tag == "img":
            src = image_src(node, self._urls)
            if src:
                alt = clean_attribute(node.attributes.get("alt") or "")
                self._writer.atom(f'<img src="{src}" alt="{alt}">')
        elif tag == "hr":
            self._writer.rule()
        elif tag in ("td", "th"):
            self._leave(*self._enter(node, tag))
        else:
            self._edge(tag)

    def _edge(self, tag: str) -> None:
        """An empty or hidden block writes nothing, but still separates its neighbours."""
        if tag in BOXES or tag in BLOCKS:
            self._writer.leave_box(self._writer.enter_box())


def _link_attributes(node: LexborNode, urls: UrlResolver) -> str:
    attributes = node.attributes
    href = urls.link(attributes.get("href") or "")
    return _address_attributes(href, attributes.get("title") or "", attributes.get("rel") or "")


def _address_attributes(href: str | None, title: str, rel: str) -> str:
    title = clean_attribute(title) if title else ""
    kept = f' href="{escape_attribute(href)}"' if href else ""
    if title:
        kept += f' title="{title}"'
    if href:
        rel = _link_rel(rel[:_MAX_REL])
        kept += f' rel="{rel}" target="_blank" referrerpolicy="no-referrer"'
    return kept


@lru_cache(maxsize=256)
def _link_rel(existing: str) -> str:
    words = [word for word in existing.lower().split()[:10] if _REL_WORD.fullmatch(word)]
    kept = [word for word in words if word != "opener"]  # it would undo noopener
    return " ".join(dict.fromkeys([*kept, "noopener", "noreferrer"]))

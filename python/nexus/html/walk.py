"""The walk over a page's tree: what each element is to the writer."""

import re
from typing import cast

from selectolax.lexbor import LexborNode

from nexus.html.anchors import Places
from nexus.html.attributes import SELECTOR, kept_attributes, written
from nexus.html.blocks import Block
from nexus.html.embeds import embed_address, embed_label
from nexus.html.links import address_attributes, link_attributes
from nexus.html.mathml import formula, is_display, tex_source
from nexus.html.tags import BLOCKS, BOXES, EMBEDS, INLINE, REMOVED_WITH_CONTENT, RENAMED, SPAN
from nexus.html.text import clean_attribute
from nexus.html.urls import UrlResolver, image_src
from nexus.html.writer import Writer

_STYLE_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_STYLE_MAKES_BLOCK = re.compile(r"display\s*:\s*(?:block|flex|grid|list-item|table)", re.I)


def put_titles_first(body: LexborNode) -> None:
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


class Walk:
    """One walk over a tree in document order, without recursion; a Writer gets what to keep."""

    def __init__(
        self, body: LexborNode, urls: UrlResolver, places: Places, names: list[str]
    ) -> None:
        self._body = body
        self._urls = urls
        self._places = places
        self._names = names
        places.find_targets(body)
        self._writer = Writer()
        self._hidden: set[int] = set()
        self._styled_as_block: set[int] = set()
        for node in body.css("[hidden],[aria-hidden],[style],dialog"):
            self._note_visibility(node)
        self._with_attributes = {node.mem_id for node in body.css(SELECTOR)}
        # Language and direction of the boxes around, for the blocks that are written inside.
        self._passed_on: dict[str, str] = {}

    def run(self) -> str:
        # Each entry is an element being walked, and what leaving it means to the writer.
        open_elements: list[tuple[LexborNode, dict[str, str], str, Block | None]] = []
        hidden = self._hidden
        targets = self._places.targets
        write_text = self._writer.text
        node = self._body.child
        while node is not None or open_elements:
            if node is None:
                element, passed_on, kind, block = open_elements.pop()
                self._leave(kind, block)
                if passed_on is not self._passed_on:
                    self._pass_on(passed_on)
                node = element.next
                continue
            tag = node.tag
            if targets and node.mem_id in targets:
                self._mark(targets[node.mem_id])
            if tag == "-text":
                write_text(node.text_content or "")
            elif tag in REMOVED_WITH_CONTENT:
                self._removed(node, tag)
            elif tag is not None:
                child = node.child
                if child is not None and not (hidden and node.mem_id in hidden):
                    passed_on = self._passed_on
                    entered = self._enter(node, RENAMED.get(tag, tag))
                    open_elements.append((node, passed_on, *entered))
                    node = child
                    continue
                self._childless(node, tag)
            node = node.next
        return self._writer.result()

    def _mark(self, names: list[str]) -> None:
        self._names.extend(names)
        self._writer.mark(len(names))

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
            attributes = self._inline_attributes(node, tag)
            entered = attributes is not None and writer.enter_inline(tag, attributes)
            return ("inline" if entered else "", None)
        if tag in BLOCKS:
            opened = ' open=""' if tag == "details" else ""
            kept = self._kept(node, tag)
            if self._passed_on:
                kept = self._passed_on | kept
            block = writer.enter_block(tag, opened + written(kept))
            if block:
                if self._passed_on:
                    self._pass_on({})
                return "block", block
        return self._enter_unwrapped(node, tag)

    def _enter_unwrapped(self, node: LexborNode, tag: str) -> tuple[str, Block | None]:
        """An element of which only the content stays, with its language and direction."""
        writer = self._writer
        own = self._kept(node, "")
        if tag in BLOCKS or tag in BOXES or node.mem_id in self._styled_as_block:
            box = writer.enter_box()
            if own:
                self._pass_on(self._passed_on | own)
            return "box", box
        entered = bool(own) and writer.enter_inline(SPAN, written(own))
        return ("inline" if entered else "", None)

    def _pass_on(self, attributes: dict[str, str]) -> None:
        if attributes != self._passed_on:
            self._passed_on = attributes
            self._writer.passed_on = written(attributes)

    def _enter_stray_reading(self, tag: str) -> tuple[str, None]:
        if tag == "rt":
            self._writer.text("(")
        return tag, None

    def _inline_attributes(self, node: LexborNode, tag: str) -> str | None:
        """The attributes to write, or None for an element of which only the content stays."""
        kept = written(self._kept(node, tag))
        if tag == "a":
            link = link_attributes(node, self._urls, self._places)
            return None if link is None else link + kept
        return kept

    def _kept(self, node: LexborNode, tag: str) -> dict[str, str]:
        return kept_attributes(node, tag) if node.mem_id in self._with_attributes else {}

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
        if self._places.targets:
            for inner in node.css("[id]"):
                if inner.mem_id != node.mem_id and inner.mem_id in self._places.targets:
                    self._mark(self._places.targets[inner.mem_id])
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
        linked = writer.enter_inline("a", address_attributes(address))
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

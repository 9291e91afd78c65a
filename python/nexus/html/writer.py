"""Writes sanitized HTML in a normal form that every HTML5 parser reads back unchanged.

The form, which makes `parse → serialize` the identity:

- Inline elements hold text, `br`, `img` and other inline elements, each at most once on the way
  up, and never a block: an inline element around blocks is written again inside each of them.
- `p` and `pre` hold inline content only. Other blocks hold blocks and inline runs.
- A run is inline content without a block edge inside. Two runs never stand side by side: where
  taking out an element would bring them together, they become paragraphs.
- Nothing empty is written except table cells; whitespace at the edges of runs is dropped.
- `rt` has its `rp` around it and `details` begins with its `summary`, whatever the page has.
- A formula is inline content, written as `mathml` has it.
"""

from nexus.html import blocks
from nexus.html.blocks import NO_TEXT, TIGHT, Block, Run
from nexus.html.tags import SPAN
from nexus.html.text import (
    ANCHOR,
    WHITESPACE,
    clean_text,
    ends_with_newline,
    escape_text,
    node_text,
)

MAX_OUTPUT_CHARACTERS = 10_000_000

_REPEATABLE_INLINE = frozenset({"sup", "sub", SPAN})
_MAX_INLINE_DEPTH = 16


class OutputTooLargeError(Exception):
    """The output would be too large to store."""


class Writer:
    """Takes a walk over a tree (enter, leave, text, image, …) and writes the normal form."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._text: list[str] = []
        self._pending: list[str] = []  # whitespace and `br` that count only if content follows
        self._marks = 0  # anchors that stand before the next content
        self._content = 0
        self._repeated = 0
        # Attributes of the boxes around, which the walk sets: for text that becomes a paragraph.
        self.passed_on = ""
        self._in_run = False
        # inline elements around the current node: name, start and end
        self._wanted: list[tuple[str, str, str]] = []
        self._opened = 0  # how many of them are written and not closed
        self._top = Block("", "", -1, 0)
        self._blocks = [self._top]

    def result(self) -> str:
        """End the last run and return everything written."""
        self._end_run()
        return "".join(self._parts)

    # Inline content

    def text(self, text: str) -> None:
        """Write a text node."""
        preformatted = self._top.tag == "pre"
        if not self._in_run and not preformatted and text.isspace():
            return  # indentation, the most common text node of all
        text = clean_text(text)
        if preformatted:
            self._write_preformatted(text)
        elif not text.strip(WHITESPACE):
            if self._in_run and text:
                self._pending.append(text)
        elif self._in_run:
            if self._pending:
                self._write_pending()
            self._begin_content()
            self._text.append(text)
        elif self._begin_run():
            self._begin_content()
            self._text.append(text.lstrip(WHITESPACE))

    def mark(self, count: int) -> None:
        """Note that so many anchors stand here."""
        self._marks += count

    def atom(self, markup: str) -> None:
        """Write a whole `img` or `math`."""
        if self._begin_run():
            self._write_pending()
            self._begin_content()
            self._write(markup)

    def atom_apart(self, markup: str) -> None:
        """Write it on a line of its own; in `pre` lines are what they are."""
        box = None if self._top.tag == "pre" else self.enter_box()
        self.atom(markup)
        if box is not None:
            self.leave_box(box)

    def line_break(self, tag: str) -> None:
        """Write `<br>` or `<wbr>`, unless it stands at the edge of a block."""
        if self._top.tag == "pre":
            if self._begin_run():
                self._open_inlines()
                self._write(tag)
        elif self._in_run:
            self._pending.append(tag)

    def enter_inline(self, tag: str, attributes: str = "") -> bool:
        """Note an inline element; it is written when content comes. False if it adds nothing."""
        if self._wanted and not self._may_nest(tag):
            return False
        before, after = blocks.AROUND.get(tag, ("", ""))
        self._wanted.append((tag, f"{before}<{tag}{attributes}>", f"</{tag}>{after}"))
        return True

    def _may_nest(self, tag: str) -> bool:
        repeated = tag not in _REPEATABLE_INLINE and any(tag == each[0] for each in self._wanted)
        return not repeated and len(self._wanted) < _MAX_INLINE_DEPTH

    def is_directly_in(self, tag: str) -> bool:
        """Whether this is the innermost inline element around the current node."""
        return bool(self._wanted) and self._wanted[-1][0] == tag

    def leave_inline(self) -> None:
        """End the inline element entered last."""
        if self._opened == len(self._wanted):
            self._close_inlines(self._opened - 1)
        self._wanted.pop()

    # Blocks

    def enter_block(self, tag: str, attributes: str = "") -> Block | None:
        """Open a block, or return None where it may not stand: then it is to be a box."""
        if not self._make_room_for(tag):
            return None
        if self.passed_on:
            self._note_repeated(self.passed_on)
        block = Block(tag, f"<{tag}{attributes}>", len(self._parts), self._content)
        self._write(block.opening)
        self._blocks.append(block)
        self._top = block
        return block

    def leave_block(self, block: Block) -> None:
        """Close a block; one without content leaves only an edge between its neighbours."""
        self._end_run()
        if block.closed_early:
            self._top.boxes -= 1
            return
        self._blocks.pop()
        self._top = self._blocks[-1]
        if self._content == block.mark and block.tag not in ("td", "th"):
            del self._parts[block.start :]
            return
        self._write(f"</{block.tag}>")
        self._note_block()

    def rule(self) -> None:
        """Write `hr`."""
        if self._make_room_for("hr"):
            self._content += 1
            self._write("<hr>")
            self._note_block()

    def enter_box(self) -> Block:
        """Pass the start of a block outside the allowlist."""
        self._end_run()
        self._top.boxes += 1
        return self._top

    def leave_box(self, block: Block) -> None:
        """Pass the end of the box entered in `block`."""
        self._end_run()
        block.boxes -= 1

    def _make_room_for(self, tag: str) -> bool:
        self._end_run()
        if self._top.tag == "p":
            self._close_paragraph_early()
        top = self._top
        if not blocks.may_hold(top.tag, tag, depth=len(self._blocks)):
            return False
        if tag == "summary":
            return not top.last
        if top.tag == "details":
            self._begin_details(top)
        return True

    def _begin_details(self, top: Block) -> None:
        if not top.last:
            self._write(blocks.DEFAULT_SUMMARY)
            top.last = "block"

    def _close_paragraph_early(self) -> None:
        paragraph = self._top
        self.leave_block(paragraph)
        paragraph.closed_early = True
        self._top.boxes += 1  # what remains of it is still a block of its own

    def _note_block(self) -> None:
        top = self._top
        if top.last == "run" and top.tag not in TIGHT and top.run and top.run.boxed:
            top.run.wrap(self._parts)
        top.last = "block"

    # Runs

    def _begin_run(self) -> bool:
        if self._in_run:
            return True
        top = self._top
        if top.tag in NO_TEXT:
            return False
        self._in_run = True
        if top.tag == "p":
            if top.last == "run":
                self._write(f"</p>{top.opening}")
        elif top.tag == "pre":
            if top.last == "run" and not ends_with_newline(self._parts):
                self._text.append("\n")
        else:
            self._begin_flow_run(top)
        top.last = "run"
        return True

    def _begin_flow_run(self, top: Block) -> None:
        if top.tag == "details":
            self._begin_details(top)
        attributes = blocks.attributes_of_run(top, self.passed_on)
        self._note_repeated(attributes)
        run = Run(len(self._parts), top.boxes > 0, attributes)
        self._parts.append("")
        if top.last == "run" and top.run:
            if top.run.boxed:
                top.run.wrap(self._parts)
            run.wrapped |= run.boxed or not top.run.wrapped
        elif top.last == "block":
            run.wrapped |= run.boxed and top.tag not in TIGHT
        top.run = run

    def _end_run(self) -> None:
        if not self._in_run:
            return
        top = self._top
        if self._text:
            if top.tag != "pre":
                self._text[-1] = self._text[-1].rstrip(WHITESPACE)
            self._flush_text()
        self._pending.clear()
        if self._opened:
            self._close_inlines(0)
        self._in_run = False
        run = top.run
        if run:
            run.end = len(self._parts)
            self._parts.append("")
            if run.wrapped:
                run.wrap(self._parts)

    # Output

    def _write(self, tag: str) -> None:
        if self._text:
            self._flush_text()
        self._parts.append(tag)

    def _flush_text(self) -> None:
        starts_pre = self._top.tag == "pre" and self._parts[-1].startswith("<pre")
        self._parts.append(escape_text(node_text("".join(self._text), starts_pre=starts_pre)))
        self._text.clear()

    def _write_pending(self) -> None:
        for item in self._pending:
            if item.startswith("<"):
                self._write(item)
            else:
                self._text.append(item)
        self._pending.clear()

    def _write_preformatted(self, text: str) -> None:
        if text and self._begin_run():
            if text.strip(WHITESPACE):
                self._begin_content()
            self._open_inlines()
            self._text.append(text)

    def _begin_content(self) -> None:
        self._content += 1
        if self._opened < len(self._wanted):
            self._open_inlines()
        if self._marks:
            self._text.append(ANCHOR * self._marks)
            self._marks = 0

    def _open_inlines(self) -> None:
        while self._opened < len(self._wanted):
            opening = self._wanted[self._opened][1]
            self._write(opening)
            self._opened += 1
            self._note_repeated(opening)

    def _note_repeated(self, markup: str) -> None:
        """Only what is written again in each block can make the output larger than the input."""
        self._repeated += len(markup)
        if self._repeated > MAX_OUTPUT_CHARACTERS:
            raise OutputTooLargeError

    def _close_inlines(self, keep: int) -> None:
        if self._text:
            self._flush_text()
        while self._opened > keep:
            self._opened -= 1
            self._write(self._wanted[self._opened][2])

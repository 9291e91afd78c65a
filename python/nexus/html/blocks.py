"""The blocks that are open while HTML is written, and which may stand inside which."""

from nexus.html.tags import HEADINGS, names

MAX_DEPTH = 100

# In these, text beside a block reads well as it is; elsewhere it becomes a paragraph.
TIGHT = HEADINGS | names("li td th ul ol dl dt dd figcaption caption summary")
# Text in these becomes a paragraph where it has attributes that no other element can carry.
_MAY_HOLD_PARAGRAPHS = names("li td th dd")
# Elsewhere these are boxes, and most of them a parser would move or drop.
_PARENTS = {
    "caption": ("table",),
    "thead": ("table",),
    "tbody": ("table",),
    "tfoot": ("table",),
    "tr": ("thead", "tbody", "tfoot"),
    "td": ("tr",),
    "th": ("tr",),
    "dt": ("dl",),
    "dd": ("dl",),
    "figcaption": ("figure",),
    "summary": ("details",),
}
# As browsers have it for details without one.
DEFAULT_SUMMARY = "<summary>Details</summary>"
# Part of the text, but not shown: `word(reading)`.
AROUND = {"rt": ("<rp>(</rp>", "<rp>)</rp>")}
NO_TEXT = names("table thead tbody tfoot tr")


class Run:
    """Inline content between block edges; its edges are reserved so that `p` can be added later."""

    __slots__ = ("boxed", "end", "opening", "start", "wrapped")

    def __init__(self, start: int, boxed: bool, attributes: str) -> None:
        self.start = start
        self.end = start
        self.boxed = boxed
        self.opening = f"<p{attributes}>"
        self.wrapped = bool(attributes)

    def wrap(self, parts: list[str]) -> None:
        """Make it a paragraph among the parts of the output."""
        self.wrapped = True
        parts[self.start] = self.opening
        parts[self.end] = "</p>"


class Block:
    """An open block element: where it began, and what its last child was."""

    __slots__ = ("boxes", "closed_early", "last", "mark", "opening", "run", "start", "tag")

    def __init__(self, tag: str, opening: str, start: int, mark: int) -> None:
        self.tag = tag
        self.opening = opening
        self.start = start  # index of the opening tag among the parts
        self.mark = mark  # how much content had been written before
        self.boxes = 0  # open blocks outside the allowlist between here and the text
        self.last = ""  # "run", "block", or nothing yet
        self.run: Run | None = None
        self.closed_early = False


def attributes_of_run(block: Block, passed_on: str) -> str:
    """Those of the boxes around it that text in this block can have, as a paragraph."""
    return "" if block.tag in TIGHT and block.tag not in _MAY_HOLD_PARAGRAPHS else passed_on


def may_hold(parent: str, tag: str, *, depth: int) -> bool:
    """Whether a parser leaves this block inside the parent, below so many open blocks."""
    if tag in _PARENTS:
        return parent in _PARENTS[tag]
    if parent == "pre" or parent in NO_TEXT:
        return False
    if (tag == "li" and parent == "li") or (tag in HEADINGS and parent in HEADINGS):
        return False  # the parser would close the outer one
    return tag in ("p", "hr", "pre") or depth <= MAX_DEPTH

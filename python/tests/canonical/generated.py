"""Hypothesis strategies for HTML: wild markup, and trees whose words are known."""

from dataclasses import dataclass

from hypothesis import strategies as st


def names(text: str) -> list[str]:
    """Names, written as one would list them."""
    return text.split()


WHITESPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
TEXTS = (
    "word",
    "Two words",
    "😀",
    "👨‍👩‍👧‍👦",
    "🇨🇭",
    "𠮷",
    "\u0301",
    "e\u0301",
    "\u0323\u0301",
    "\u0338",
    "\u0301\u0323" * 20,
    "\u0f73" * 16,
    "\u0344" * 14,
    "\u2adc" + "\u0301" * 29,
    "\u0958" + "\u0323\u093c" * 15,
    "\u1112\u1161\u11ab",
    "שָׁלוֹם",
    "\u202eمرحبا\u202c",
    "猫である。",
    "\u200b",
    "\u200d",
    "\xad",
    "&amp;",
    "&nbsp;",
    "&#13;",
    "&#10;",
    "&lt;b&gt;",
    "&#x1F600;",
    "&#0;",
    "&#x80;",
    "&#1;",
    "&bogus;",
    "&",
    "<",
    ">",
    "</",
    "<!",
    "<?php x ?>",
    "<![CDATA[ x ]]>",
    "<!-- c -->",
    "<!-->",
    "<!--",
    "-->",
    '"',
    "\x00",
    "\x01",
)
ORDINARY_TAGS = names(
    "p br strong em b i u s blockquote pre code ul ol li h1 h2 h6 hr a img table thead tbody tr th"
    " td sup sub div section article figure figcaption dl dt dd details summary address span font"
    " caption tfoot picture source ruby rb rt rp kbd samp var mark q cite abbr small del ins wbr"
)
MATH_TAGS = names(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom merror msub msup"
    " msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd semantics annotation"
    " mfenced maction menclose none mglyph malignmark"
)
TRICKY_TAGS = names(
    "nobr form fieldset legend colgroup col center marquee main nav header script style svg math"
    " foreignObject desc mi annotation-xml title textarea iframe noscript template select option"
    " button input object video audio embed rtc xmp listing plaintext body html head"
    " frameset x-custom"
)
ATTRIBUTES = (
    "",
    " hidden",
    ' aria-hidden="true"',
    ' style="display:none"',
    ' style="display:block"',
    ' href="/x?a=1&b=2"',
    ' href="javascript:alert(1)"',
    ' href="#part" title="a &lt; b\n\xa0&quot;c&quot;"',
    ' src="a.png" alt="\u0301 <i>"',
    ' data-src="//example.com/é.png"',
    ' srcset="a.png 1x, b.png 2x"',
    ' colspan="2" rowspan="007"',
    ' colspan="9999"',
    ' rel="me opener"',
    " onclick=alert(1) class='x y' id=x",
    ' encoding="text/html"',
    ' encoding="application/x-tex"',
    ' lang="de" dir="rtl"',
    ' lang="\u0301x" dir="auto"',
    ' start="05" reversed type="a"',
    ' value="-3" scope="row" open',
    ' display="block" accent="true" width="1.5em" columnspan="2"',
    ' stretchy="FALSE" lspace="-.2em" mathvariant="normal" open="&lt;" separators=""',
    ' src="//example.com/v" data="/d" poster="p.png"',
    "/",
)

text = st.one_of(
    st.sampled_from(TEXTS),
    st.sampled_from(WHITESPACE),
    st.text(alphabet=WHITESPACE, max_size=4),
    st.text(max_size=6),
)
tag = st.one_of(
    *[st.sampled_from(ORDINARY_TAGS)] * 3, st.sampled_from(TRICKY_TAGS), st.sampled_from(MATH_TAGS)
)
start_tag = st.builds("<{}{}>".format, tag, st.sampled_from(ATTRIBUTES))
end_tag = tag.map("</{}>".format)
wild_html = st.lists(st.one_of(text, start_tag, text, start_tag, end_tag), max_size=40).map("".join)
link_or_target = st.builds(
    "<{}{}>".format,
    st.sampled_from(names("a a p li sup span b h2 pre td math mi img")),
    st.sampled_from(
        [
            ' href="#x"',
            ' href="#y"',
            ' id="x"',
            ' id="y"',
            ' name="x"',
            ' id="y" href="#x"',
            " hidden id=x",
        ]
    ),
)
wild_links = st.lists(
    st.one_of(text, start_tag, link_or_target, link_or_target, end_tag), max_size=40
).map("".join)
# Mostly formulas, which random tags seldom are.
math_piece = st.one_of(
    text,
    st.builds("<{}{}>".format, st.sampled_from(MATH_TAGS), st.sampled_from(ATTRIBUTES)),
    st.builds("<{0}>{1}</{0}>".format, st.sampled_from(names("mi mn mo ms mtext")), text),
    st.sampled_from(MATH_TAGS).map("</{}>".format),
)
wild_formulas = st.lists(
    st.one_of(
        st.builds(
            "<math{}>{}</math>".format,
            st.sampled_from(ATTRIBUTES),
            st.lists(math_piece).map("".join),
        ),
        start_tag,
        text,
        end_tag,
    ),
    max_size=8,
).map("".join)


@dataclass(frozen=True)
class Element:
    """An element of a generated tree; a leaf is a word, numbered when the tree is written."""

    tag: str
    children: tuple["Element", ...] = ()
    attributes: str = ""


WORD = Element("")
INLINE = names("span b i a em font abbr code small x-custom kbd samp var mark q cite del ins")
BLOCK = names(
    "div p section article blockquote pre ul ol figure figcaption header"
    " footer nav aside main address fieldset center marquee"
)
HEADINGS = names("h1 h2 h6")
# Never closed by what is inside them, so that everything inside is hidden with them.
HIDEABLE = names("div section article")
REMOVED = names("script style template noscript button iframe")
WBR = Element("wbr")


def _element(
    tags: list[str], children: st.SearchStrategy[Element], *, hidden: bool = False
) -> st.SearchStrategy[Element]:
    attributes = [" hidden", ' aria-hidden="true"'] if hidden else [""]
    return st.builds(
        Element,
        st.sampled_from(tags),
        st.lists(children, max_size=4).map(tuple),
        st.sampled_from(attributes),
    )


def _table(children: st.SearchStrategy[Element]) -> st.SearchStrategy[Element]:
    cell = st.builds(
        Element, st.sampled_from(["td", "th"]), st.lists(children, max_size=2).map(tuple)
    )
    row = st.builds(Element, st.just("tr"), st.lists(cell, max_size=3).map(tuple))
    caption = st.builds(Element, st.just("caption"), st.lists(children, max_size=2).map(tuple))
    foot = st.builds(Element, st.just("tfoot"), st.lists(row, max_size=1).map(tuple))
    return st.builds(
        lambda head, rows, foot: Element("table", (*head, *rows, *foot)),
        st.lists(caption, max_size=1),
        st.lists(row, max_size=3),
        st.lists(foot, max_size=1),
    )


def _details(children: st.SearchStrategy[Element]) -> st.SearchStrategy[Element]:
    """With a summary that holds a word, because others get one from the sanitizer."""
    return st.builds(
        lambda more, rest: Element("details", (Element("summary", (WORD, *more)), *rest)),
        st.lists(children, max_size=1),
        st.lists(children, max_size=3),
    )


def _group(
    outer: list[str], inner: list[str], children: st.SearchStrategy[Element]
) -> st.SearchStrategy[Element]:
    """Items that close each other, each set in a group of their own so that they nest."""
    items = st.lists(_element(inner, children), max_size=3).map(tuple)
    return st.builds(Element, st.sampled_from(outer), items)


tree = st.recursive(
    st.just(WORD),
    lambda children: st.one_of(
        st.just(WORD),
        _element(INLINE, children),
        _element(BLOCK, children),
        _element(HIDEABLE, children, hidden=True),
        _element(REMOVED, st.just(WORD)),
        _element(HEADINGS, _element(INLINE, st.just(WORD))),
        _group(["ul", "ol"], ["li"], children),
        _group(["dl"], ["dt", "dd"], children),
        _table(children),
        _details(children),
        _element(["figure"], st.one_of(children, _element(["figcaption"], children))),
        st.just(Element("br")),
        st.just(WBR),
    ),
    max_leaves=25,
)
trees = st.lists(tree, max_size=5).map(lambda children: Element("div", tuple(children)))


class WrittenTree:
    """A tree as HTML, and the words a reader must see: a space wherever an edge of a block is."""

    def __init__(self, root: Element) -> None:
        self._html: list[str] = []
        self._words: list[str] = []
        self._count = 0
        self._write(root, visible=True)
        self.html = "".join(self._html)
        self.words = "".join(self._words).split()

    def _write(self, element: Element, *, visible: bool) -> None:
        if element is WORD or not element.tag:
            self._count += 1
            self._html.append(f"w{self._count}q")
            self._words.append(f"w{self._count}q" if visible else "")
            return
        if element is WBR:
            self._html.append("<wbr>")
            return
        if element.tag == "br":
            self._html.append("<br>")
            self._words.append(" " if visible else "")
            return
        is_block = element.tag not in INLINE and element.tag not in REMOVED
        edge = " " if is_block and visible else ""
        inner = visible and not element.attributes and element.tag not in REMOVED
        self._html.append(f"<{element.tag}{element.attributes}>")
        self._words.append(edge)
        for child in element.children:
            self._write(child, visible=inner)
        self._html.append(f"</{element.tag}>")
        self._words.append(edge)

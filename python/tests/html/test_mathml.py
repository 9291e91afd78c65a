"""Formulas: what stays, what is put right, and what becomes text."""

import pytest

from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import SanitizedHtml, sanitize_html, write_normal_form
from nexus.html.urls import UrlResolver

pytestmark = pytest.mark.must

BASE = "https://example.org/"


def sanitize(html: str) -> str:
    result = sanitize_html(html, BASE)
    assert write_normal_form(html, UrlResolver(BASE)) == result
    assert sanitize_html(result, BASE) == result
    return result


def math(inside: str) -> str:
    return f"<math>{inside}</math>"


KEPT = [
    "<mi>x</mi><mo>=</mo><mn>2</mn>",
    "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>",
    "<mfrac><mn>1</mn><mn>2</mn></mfrac>",
    '<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>',
    "<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>",
    "<msup><mi></mi><mn>2</mn></msup><msub><mi>a</mi><mi>i</mi></msub>",
    "<msubsup><mo>∫</mo><mn>0</mn><mi>∞</mi></msubsup>",
    '<munderover accent="false" accentunder="false"><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>',
    '<mover accent="true"><mi>x</mi><mo stretchy="false">¯</mo></mover>',
    '<munder accentunder="true"><mi>x</mi><mo>_</mo></munder>',
    "<mmultiscripts><mi>C</mi><mn>6</mn><mrow></mrow><mprescripts></mprescripts><mn>2</mn>"
    "<mn>14</mn></mmultiscripts>",
    '<mtable columnalign="right left"><mtr><mtd columnspan="2" rowspan="3"><mi>x</mi></mtd></mtr>'
    "</mtable>",
    '<mstyle displaystyle="true" scriptlevel="0"><mi mathvariant="normal">d</mi></mstyle>',
    '<mspace width="0.2778em" height="1.5em" depth="-.5em"></mspace><mi>x</mi>',
    '<mpadded width="2em" voffset="-0.2em" lspace="0"><mi>x</mi></mpadded>',
    "<mphantom><mi>x</mi></mphantom><mi>y</mi><merror><mtext>bad</mtext></merror>",
    '<mo form="prefix" fence="true" separator="false" lspace="0.1667em" rspace="0">(</mo>'
    '<mo symmetric="true" largeop="true" movablelimits="false" minsize="1em" maxsize="3em">|</mo>',
    "<ms>text</ms><mtext>&nbsp;if&nbsp;</mtext>",
    '<mrow dir="rtl"><mi>س</mi></mrow>',
]


@pytest.mark.parametrize("inside", KEPT)
def test_presentation_elements_come_through_unchanged(inside: str) -> None:
    assert sanitize(math(inside)) == math(inside)


CHANGED = {
    "semantics": (
        "<semantics><mrow><mi>x</mi></mrow><annotation encoding=application/x-tex>x</annotation>"
        "<annotation-xml encoding=text/html><p>y</p></annotation-xml></semantics>",
        "<mrow><mi>x</mi></mrow>",
    ),
    "annotation first": (
        "<semantics><annotation>y</annotation><mi>x</mi><mi>z</mi></semantics><mi>w</mi>",
        "<mi>x</mi><mi>w</mi>",
    ),
    "actions": (
        "<msup><maction actiontype=toggle><mi>x</mi><mi>y</mi></maction><mn>2</mn></msup>",
        "<msup><mi>x</mi><mn>2</mn></msup>",
    ),
    "fences": (
        "<mfenced><mi>a</mi><mi>b</mi></mfenced>",
        "<mrow><mo>(</mo><mi>a</mi><mo>,</mo><mi>b</mi><mo>)</mo></mrow>",
    ),
    "fences of one's own": (
        '<mfenced open="[" close="" separators=" ; | "><mi>a</mi><mi>b</mi><mi>c</mi><mi>d</mi>',
        "<mrow><mo>[</mo><mi>a</mi><mo>;</mo><mi>b</mi><mo>|</mo><mi>c</mi><mo>|</mo><mi>d</mi>"
        "</mrow>",
    ),
    "unknown elements": (
        "<msup><menclose notation=box><mi>x</mi></menclose><none/></msup>",
        "<msup><mrow><mi>x</mi></mrow><mrow></mrow></msup>",
    ),
    "labelled rows": (
        "<mtable><mlabeledtr><mtd><mi>x</mi></mtd></mlabeledtr></mtable>",
        "<mtable><mtr><mtd><mi>x</mi></mtd></mtr></mtable>",
    ),
    "stray text": ("x<mo>=</mo>y", "<mtext>x</mtext><mo>=</mo><mtext>y</mtext>"),
    "indentation": ("\n <mrow>\n <mi>\n x\n </mi>\n </mrow>\n", "<mrow><mi>x</mi></mrow>"),
    "markup in a token": (
        "<mtext>a<b>b</b> <i>c<script>x</script></i><br>d<p>e</p>f</mtext>",
        "<mtext>ab c d e f</mtext>",
    ),
    "a formula in a token": ("<mtext>a<math><mi>b</mi></math></mtext>", "<mtext>ab</mtext>"),
    "a picture in a token": ("<mi>x<img src=a.png><svg><text>y</text></svg></mi>", "<mi>x</mi>"),
    "glyphs": ("<mi>x<mglyph src=a.png alt=y></mglyph></mi>", "<mi>x</mi>"),
    "style": (
        "<mi>x</mi><style>y</style><mi style='color:red' class=z>w</mi>",
        "<mi>x</mi><mi>w</mi>",
    ),
    "comments": ("<mi>x<!-- y --></mi><!-- z -->", "<mi>x</mi>"),
    "links": (
        '<mrow href="https://example.org/"><mi xlink:href=x>x</mi></mrow>',
        "<mrow><mi>x</mi></mrow>",
    ),
    "lengths beyond reason": (
        '<mspace width="999em" height="-50em" depth="1e9px"></mspace><mi>x</mi>',
        "<mspace></mspace><mi>x</mi>",
    ),
    "values in other forms": (
        '<mo stretchy=" TRUE " form=x lspace="thinmathspace" onclick=x>+</mo>',
        '<mo stretchy="true">+</mo>',
    ),
    "alphabets": (
        '<mi mathvariant="double-struck">R</mi><mi mathvariant="script">Le</mi>'
        '<mi mathvariant="Fraktur">gC1</mi><mi mathvariant="bold-script">B</mi>'
        '<mi mathvariant="bold">v</mi><mi mathvariant="looped">x</mi>',
        '<mi>ℝ</mi><mi>ℒℯ</mi><mi>𝔤ℭ1</mi><mi>𝓑</mi><mi mathvariant="bold">v</mi><mi>x</mi>',
    ),
    "decomposed text": ("<mi>e\u0301</mi><mo>\u0301</mo>", "<mi>\xe9</mi><mo>\u0301</mo>"),
    "controls": ("<mi>a\x01&#0;b</mi>", "<mi>a\ufffdb</mi>"),
}


@pytest.mark.parametrize(("inside", "expected"), CHANGED.values(), ids=CHANGED)
def test_the_rest_is_put_right(inside: str, expected: str) -> None:
    assert sanitize(math(inside)) == math(expected)


GONE = {
    "nothing": ("<p>a<math></math>b</p>", "<p>ab</p>"),
    "only space": ("<p>a<math><mspace width=1em></mspace><mi> </mi></math>b</p>", "<p>ab</p>"),
    "hidden": ("<p>a<math hidden><mi>x</mi></math>b</p>", "<p>ab</p>"),
    "only TeX": (
        "<p>a <math><semantics><mrow></mrow><annotation encoding='application/x-tex'> \\frac 1&lt;x"
        "</annotation></semantics></math></p>",
        "<p>a <code>\\frac 1&lt;x</code></p>",
    ),
    "only something else": (
        "<p>a<math><semantics><annotation encoding='MathType'>x</annotation></semantics></math>",
        "<p>a</p>",
    ),
    "blocks break out": ("<math><mi>x</mi><p>y</p></math>", "<math><mi>x</mi></math><p>y</p>"),
    "tokens outside": ("<p><mi>x</mi><mfrac>y</mfrac></p>", "<p>xy</p>"),
    "in svg": ("<p>a<svg><math><mi>x</mi></math></svg></p>", "<p>a</p>"),
}


@pytest.mark.parametrize(("html", "expected"), GONE.values(), ids=GONE)
def test_what_is_no_formula_becomes_text_or_goes(html: str, expected: str) -> None:
    assert sanitize(html) == expected


DISPLAY = '<math display="block"><mi>x</mi></math>'
APART = {
    "in a paragraph": (f"<p>a {DISPLAY} b</p>", f"<p>a</p><p>{DISPLAY}</p><p>b</p>"),
    "alone": (f"<p>{DISPLAY}</p>", f"<p>{DISPLAY}</p>"),
    "in an item": (f"<ul><li>a{DISPLAY}</li></ul>", f"<ul><li>a<p>{DISPLAY}</p></li></ul>"),
    "in code": (f"<pre>a{DISPLAY}b</pre>", f"<pre>a{DISPLAY}b</pre>"),
}


@pytest.mark.parametrize(("html", "expected"), APART.values(), ids=APART)
def test_a_displayed_formula_has_a_line_of_its_own(html: str, expected: str) -> None:
    assert sanitize(html) == expected


def test_deep_formulas_are_unwrapped_and_keep_their_text() -> None:
    deep = math("<mrow>" * 400 + "<mi>deep</mi>" + "</mrow>" * 400)
    result = sanitize(deep)
    assert result.count("<mrow>") == 100
    assert canonicalize(SanitizedHtml(result)) == "deep"


def test_tables_and_fractions_keep_numbers_apart() -> None:
    html = math("<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd></mtr></mtable>")
    assert canonicalize(sanitize_html(html, BASE)) == "1 2 3"
    html = math("<mn>1</mn><mfrac><mn>2</mn><mn>3</mn></mfrac><mn>4</mn>")
    assert canonicalize(sanitize_html(html, BASE)) == "1 2 3 4"

from itertools import pairwise

import pytest

from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import SanitizationError, sanitize_html, write_normal_form
from nexus.html.source import MAX_CHARACTERS, MAX_TAGS
from nexus.html.urls import UrlResolver

pytestmark = pytest.mark.must

BASE = "https://example.org/news/story.html?page=2"
LINK_TAIL = 'rel="noopener noreferrer" target="_blank" referrerpolicy="no-referrer"'


def sanitize(html: str) -> str:
    """Sanitize, and hold every example to the fixed point, reached at once."""
    result = sanitize_html(html, BASE)
    assert write_normal_form(html, UrlResolver(BASE)) == result
    assert sanitize_html(result, BASE) == result
    return result


def image(url: str, alt: str = "") -> str:
    quoted = url.replace(":", "%3A").replace("/", "%2F").replace("?", "%3F").replace("=", "%3D")
    return f'<img src="/media/image?url={quoted}" alt="{alt}">'


KEPT = [
    "<p>a<br>b</p>",
    "<p><strong>a</strong><em>b</em><b>c</b><i>d</i><u>e</u><s>f</s><sup>g</sup><sub>h</sub></p>",
    "<blockquote><p>a</p></blockquote>",
    "<pre><code>a\n  b</code></pre>",
    "<ul><li>a<ol><li>b</li></ol></li></ul>",
    "<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6>",
    "<p>a</p><hr><p>b</p>",
    '<table><thead><tr><th colspan="2">a</th></tr></thead>'
    '<tbody><tr><td rowspan="3">b</td><td></td></tr></tbody></table>',
    f'<p><a href="https://example.com/" title="t" {LINK_TAIL}>a</a></p>',
    f'<p><a href="mailto:a@example.com" {LINK_TAIL}>a</a></p>',
    "<p>x<sup>2<sup>3</sup></sup></p>",
    "text",
    "text<p>block</p>text",
    "<p>&amp; &lt; &gt; \"&nbsp;'</p>",
    "<p><kbd>a</kbd><samp>b</samp><var>c</var><mark>d</mark><q>e</q><cite>f</cite>"
    "<small>g</small><del>h</del><ins>i</ins></p>",
    '<p>the <abbr title="World &quot;Wide&quot; Web">WWW</abbr></p>',
    "<p>super<wbr>cali<wbr>fragi</p>",
    "<figure><p>a</p><figcaption>b</figcaption></figure>",
    "<dl><dt>a</dt><dd>b</dd><dd>c<p>d</p></dd></dl>",
    '<details open=""><summary>a</summary><p>b</p></details>',
    "<table><caption>a</caption><thead><tr><th>b</th></tr></thead><tbody><tr><td>c</td></tr>"
    "</tbody><tfoot><tr><td>d</td></tr></tfoot></table>",
    '<ol start="5" reversed="" type="a"><li value="-3">a</li></ol>',
    '<table><tbody><tr><th scope="row">a</th><td>b</td></tr></tbody></table>',
    '<p lang="de-CH-1996" dir="ltr">a <em lang="zh-Hant">b</em></p>',
    '<blockquote lang="ar" dir="rtl"><p>a</p></blockquote>',
    '<pre lang="en">a\nb</pre>',
    '<p>a <span lang="de">b <span lang="ar" dir="rtl">c</span></span></p>',
    "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>",
    "<p><ruby><rb>漢</rb><rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>",
]


@pytest.mark.parametrize("html", KEPT)
def test_allowed_html_comes_through_unchanged(html: str) -> None:
    assert sanitize(html) == html


STRIPPED = {
    "attributes": (
        '<p class="c" id="i" style="s" onclick="x()" data-x lang="de">a</p>',
        '<p lang="de">a</p>',
    ),
    "made-up languages and directions": (
        '<p lang="a b" dir="up">a</p><p lang="\'onclick=x" dir>b</p><p lang=x>c</p>',
        "<p>a</p><p>b</p><p>c</p>",
    ),
    "made-up numbers": (
        "<ol start=x type=z><li value=1e3>a</li><li value=99999999999>b</li></ol>",
        "<ol><li>a</li><li>b</li></ol>",
    ),
    "numbers in other forms": (
        '<ol start=" +07 "><li>a</li></ol>',
        '<ol start="7"><li>a</li></ol>',
    ),
    "made-up scopes": (
        "<table><tr><th scope=all>a</th><td scope=row>b</td></tr></table>",
        "<table><tbody><tr><th>a</th><td>b</td></tr></tbody></table>",
    ),
    "closed details": (
        "<details name=x><summary>a</summary>b</details>",
        '<details open=""><summary>a</summary>b</details>',
    ),
    "script": ("a<script>alert(1)</script>b", "ab"),
    "style": ("<style>p{}</style>a", "a"),
    "comments": ("a<!-- x -->b", "ab"),
    "iframe without an address": ('a <iframe srcdoc="<p>x">x</iframe>', "a"),
    "iframe of a script": ('a <iframe src="javascript:x">x</iframe>', "a"),
    "iframe that shows nothing": ('a <iframe src="https://example.com/" width=1 height=1>', "a"),
    "hidden iframe": ('a <iframe src="https://example.com/" hidden></iframe>', "a"),
    "svg": ("<p>a<svg><text>x</text></svg></p>", "<p>a</p>"),
    "math in svg": ("<p>a<svg><math><mi>x</mi></math></svg></p>", "<p>a</p>"),
    "object": ("<object>x</object><embed>a", "a"),
    "template": ("<template><p>x</p></template>a", "a"),
    "noscript": ("<noscript><p>x</p></noscript>a", "a"),
    "controls": (
        "<form>a<input value=x><button>x</button><select><option>x</select><textarea>x</textarea>"
        "<label>b</label></form>",
        "ab",
    ),
    "players": ("<video>x</video><audio>x</audio><canvas>x</canvas>a", "a"),
    "document": ("<!doctype html><html><head><title>x</title><base href=/x></head><body>a", "a"),
    "hidden": ("<p>a<span hidden>x</span></p><div hidden>y</div>", "<p>a</p>"),
    "hidden with a value": ("<p hidden=until-found>x</p>a", "a"),
    "aria-hidden": (
        "<p>a<b aria-hidden=true>x</b><b aria-hidden=false>b</b></p>",
        "<p>a<b>b</b></p>",
    ),
    "hidden by style": ("<p>a<b style='color:red;display: none'>x</b></p>", "<p>a</p>"),
    "closed dialog": ("<dialog>x</dialog><dialog open>a</dialog>", "a"),
    "empty elements": ("<p></p><ul><li></li></ul><b></b><p> &nbsp;</p>a", "a"),
    "empty table": ("<table><tr><td> </td></tr></table>a", "a"),
    "indentation": ("\n <p>\n  a\n </p>\n <p>\n  b\n </p>\n", "<p>a</p><p>b</p>"),
    "br at the edges": ("<p><br>a<br></p><br><p>b</p>", "<p>a</p><p>b</p>"),
    "repeated inline elements": ("<b>a<b>b<b>c</b></b></b>", "<b>abc</b>"),
    "useless spans": ('<td colspan=0 rowspan="-1">x</td>', "x"),
    "renamed": ("<del>a</del><strike>b</strike>", "<del>a</del><s>b</s>"),
    "ruby": (
        "<ruby>漢<rp>（</rp><rt>kan</rt><rp>）</rp></ruby>",
        "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>",
    ),
    "ruby without parentheses": (
        "<ruby>漢<rt>kan<rt>x</ruby>",
        "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp><rp>(</rp><rt>x</rt><rp>)</rp></ruby>",
    ),
    "a reading without ruby": ("漢<rt>kan</rt><rb>b</rb>", "漢(kan)b"),
    "a reading inside other elements": (
        "<ruby>漢<b><rt>kan</rt></b></ruby>",
        "<ruby>漢<b>(kan)</b></ruby>",
    ),
    "word breaks at the edges": ("<p><wbr>a<wbr></p>", "<p>a</p>"),
}


@pytest.mark.parametrize(("html", "expected"), STRIPPED.values(), ids=STRIPPED)
def test_everything_else_goes(html: str, expected: str) -> None:
    assert sanitize(html) == expected


UNWRAPPED = {
    "alone": ("<div>a</div>", "a"),
    "siblings": ("<div>a</div><div>b</div><div>c</div>", "<p>a</p><p>b</p><p>c</p>"),
    "nested": ("<div>a<div>b</div>c</div>", "<p>a</p><p>b</p><p>c</p>"),
    "deeply alone": ("<div><div><section>a</section></div></div>", "a"),
    "beside text": ("a<div>b</div>c", "a<p>b</p>c"),
    "beside inline": ("<b>a</b><div>b</div>", "<b>a</b><p>b</p>"),
    "around paragraphs": ("<div><p>a</p><p>b</p></div>", "<p>a</p><p>b</p>"),
    "text beside a paragraph": ("<div>a<p>b</p></div>", "<p>a</p><p>b</p>"),
    "empty between": ("a<div></div>b", "a<p>b</p>"),
    "hidden between": ("a<div hidden>x</div>b", "a<p>b</p>"),
    "empty paragraph between": ("a<p></p>b", "a<p>b</p>"),
    "in a list item": ("<ul><li><div>a</div></li></ul>", "<ul><li>a</li></ul>"),
    "two in a list item": ("<li><div>a</div><div>b</div></li>", "<li><p>a</p><p>b</p></li>"),
    "before a nested list": (
        "<ul><li><div>a</div><ul><li>b</li></ul></li></ul>",
        "<ul><li>a<ul><li>b</li></ul></li></ul>",
    ),
    "in a heading": ("<h2><div>a</div><div>b</div></h2>", "<h2><p>a</p><p>b</p></h2>"),
    "in a link": (
        '<a href="/x"><div>a</div><div>b</div></a>',
        f'<p><a href="https://example.org/x" {LINK_TAIL}>a</a></p>'
        f'<p><a href="https://example.org/x" {LINK_TAIL}>b</a></p>',
    ),
    "in a span": ("<span>a<div>b</div></span>c", "a<p>b</p>c"),
    "paragraphs in bold": ("<b><p>a</p><p>b</p></b>", "<p><b>a</b></p><p><b>b</b></p>"),
    "in a cell": (
        "<table><tr><td><div>a</div><div>b</div></td></tr></table>",
        "<table><tbody><tr><td><p>a</p><p>b</p></td></tr></tbody></table>",
    ),
    "in pre": ("<pre><div>a</div><div>b\n</div><div>c</div></pre>", "<pre>a\nb\nc</pre>"),
    "figure": (
        '<figure><img src="a.png"><figcaption>a</figcaption></figure>',
        f"<figure>{image('https://example.org/news/a.png')}<figcaption>a</figcaption></figure>",
    ),
    "caption outside a figure": ("<div><figcaption>a</figcaption>b</div>", "<p>a</p><p>b</p>"),
    "figure in a link": (
        '<a href="/x"><figure>a<figcaption>b</figcaption></figure></a>',
        f'<figure><a href="https://example.org/x" {LINK_TAIL}>a</a>'
        f'<figcaption><a href="https://example.org/x" {LINK_TAIL}>b</a></figcaption></figure>',
    ),
    "definition list": (
        "<dl><dt>a<dd>b<div><dt>c<dd>d</div></dl>",
        "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>",
    ),
    "definitions without a list": ("<dt>a<dd>b", "<p>a</p><p>b</p>"),
    "details": (
        "<details><summary>a</summary>b</details>",
        '<details open=""><summary>a</summary>b</details>',
    ),
    "summary at the end": (
        "<details><p>b</p><summary>a</summary></details>",
        '<details open=""><summary>a</summary><p>b</p></details>',
    ),
    "two summaries": (
        "<details><summary>a</summary><summary>b</summary>c</details>",
        '<details open=""><summary>a</summary><p>b</p>c</details>',
    ),
    "summary without details": ("<summary>a</summary>b", "<p>a</p>b"),
    "address": ("a<address>b</address>", "a<p>b</p>"),
    "fieldset": ("<fieldset><legend>a</legend>b</fieldset>", "<p>a</p><p>b</p>"),
    "caption": (
        "<table><caption>a</caption><tr><td>b</table>",
        "<table><caption>a</caption><tbody><tr><td>b</td></tr></tbody></table>",
    ),
    "caption at the end": (
        "<table><tr><td>b<caption>a</caption></table>",
        "<table><caption>a</caption><tbody><tr><td>b</td></tr></tbody></table>",
    ),
    "two captions": (
        "<table><caption>b</caption><caption>a</caption><tr><td>c</table>",
        "<p>a</p><table><caption>b</caption><tbody><tr><td>c</td></tr></tbody></table>",
    ),
    "blocks in a caption": (
        "<table><caption><div>a</div><div>b</div></caption><tr><td>c</table>",
        "<table><caption><p>a</p><p>b</p></caption><tbody><tr><td>c</td></tr></tbody></table>",
    ),
    "table foot": (
        "<table><colgroup><col></colgroup><tfoot><tr><td>a</table>",
        "<table><tfoot><tr><td>a</td></tr></tfoot></table>",
    ),
    "item in an item": ("<li><section><li>a</li></section>b</li>", "<li><p>a</p>b</li>"),
    "heading in a heading": ("<h1><section><h2>a</h2></section>b</h1>", "<h1><p>a</p>b</h1>"),
    "marquee in a paragraph": (
        "<p>a<marquee>b<p>c</marquee>d</p>",
        "<p>a</p><p>b</p><p>c</p><p>d</p>",
    ),
    "block by style": ('<span style="display:block">a</span>b', "<p>a</p>b"),
}


@pytest.mark.parametrize(("html", "expected"), UNWRAPPED.values(), ids=UNWRAPPED)
def test_unwrapping_never_joins_words(html: str, expected: str) -> None:
    result = sanitize(html)
    assert result == expected
    words = canonicalize(sanitize_html(html, BASE)).split()
    assert all(len(word) == 1 for word in words), words
    assert all(before != after for before, after in pairwise(words))


def link(url: str, content: str) -> str:
    return f'<a href="{url}" {LINK_TAIL}>{content}</a>'


SPOKEN = {
    "blocks of a box": (
        "<div lang=ar dir=rtl><p>a</p><blockquote><p>b</p></blockquote></div><p>c</p>",
        '<p lang="ar" dir="rtl">a</p><blockquote lang="ar" dir="rtl"><p>b</p></blockquote><p>c</p>',
    ),
    "blocks with their own": (
        "<section lang=ar dir=rtl><p lang=de>a</p><ol start=2 dir=ltr><li>b</ol></section>",
        '<p lang="de" dir="rtl">a</p><ol start="2" lang="ar" dir="ltr"><li>b</li></ol>',
    ),
    "boxes in boxes": (
        "<div lang=ar><div dir=rtl><p>a</p></div><div lang=de>b</div><p>c</p></div>",
        '<p lang="ar" dir="rtl">a</p><p lang="de">b</p><p lang="ar">c</p>',
    ),
    "text of a box": ("a<div lang=de>b</div>c", 'a<p lang="de">b</p>c'),
    "text in lists and cells": (
        "<ul><li>a<div lang=de>b</div></ul><table><tr><td><div dir=rtl>c</div></table>",
        '<ul><li>a<p lang="de">b</p></li></ul>'
        '<table><tbody><tr><td><p dir="rtl">c</p></td></tr></tbody></table>',
    ),
    "no paragraph in a heading": ("<h2><div lang=de>a</div></h2>", "<h2>a</h2>"),
    "words": (
        "<p>a <span lang=de>b</span> <font dir=rtl>c</font> <span lang=x>d</span></p>",
        '<p>a <span lang="de">b</span> <span dir="rtl">c</span> d</p>',
    ),
    "words around blocks": (
        "<span lang=de><p>a</p><p>b</p></span>",
        '<p><span lang="de">a</span></p><p><span lang="de">b</span></p>',
    ),
    "nothing but attributes of language": (
        "<span lang=de class=c onclick=x()>a</span><div lang=de id=i style=s>b</div>",
        '<span lang="de">a</span><p lang="de">b</p>',
    ),
}


@pytest.mark.parametrize(("html", "expected"), SPOKEN.values(), ids=SPOKEN)
def test_language_and_direction_outlive_their_element(html: str, expected: str) -> None:
    assert sanitize(html) == expected


EMBEDS = {
    "frame": (
        '<p>a<iframe src="//video.example/v?a=1&b=2">x</iframe>b</p>',
        "<p>a</p><p>"
        + link("https://video.example/v?a=1&amp;b=2", "Embedded page: video.example")
        + "</p><p>b</p>",
    ),
    "video": (
        "<video src=v.mp4>x</video>",
        link("https://example.org/news/v.mp4", "Video: example.org"),
    ),
    "video with sources and a poster": (
        "<video poster=p.jpg><source src=v.webm><source src=v.mp4>x</video>",
        link(
            "https://example.org/news/v.webm",
            image("https://example.org/news/p.jpg") + "<br>Video: example.org",
        ),
    ),
    "recording": (
        '<audio><source src="https://sound.example/a.mp3"></audio>',
        link("https://sound.example/a.mp3", "Audio: sound.example"),
    ),
    "object": (
        "<object data=/a.pdf><p>x</p></object>",
        link("https://example.org/a.pdf", "Embedded page: example.org"),
    ),
    "plug-in": (
        "<embed src=/a.swf>",
        link("https://example.org/a.swf", "Embedded page: example.org"),
    ),
    "in a link": (
        '<a href="https://a.example/"><video src=/v.mp4></video></a>',
        link("https://a.example/", "Video: example.org"),
    ),
}


@pytest.mark.parametrize(("html", "expected"), EMBEDS.values(), ids=EMBEDS)
def test_what_plays_elsewhere_leaves_a_link(html: str, expected: str) -> None:
    assert sanitize(html) == expected


def test_details_without_a_summary_get_the_one_browsers_show() -> None:
    default = "<summary>Details</summary>"
    assert sanitize("<details>a</details>") == f'<details open="">{default}a</details>'
    assert sanitize("<details><summary> </summary><p>a</details>") == (
        f'<details open="">{default}<p>a</p></details>'
    )
    assert sanitize("<details></details><details><p></p><hr hidden></details>a") == "a"


LINKS = {
    "relative": ("other.html", "https://example.org/news/other.html"),
    "rooted": ("/other", "https://example.org/other"),
    "no scheme": ("//cdn.example.com/x", "https://cdn.example.com/x"),
    "query": ("?q=1&r=2", "https://example.org/news/story.html?q=1&amp;r=2"),
    "fragment of this page": (
        "story.html?page=2#part",
        "https://example.org/news/story.html?page=2#part",
    ),
    "fragment of another": ("other.html#part", "https://example.org/news/other.html#part"),
    "spaces and tabs": (" \n/a\tb c ", "https://example.org/ab%20c"),
    "backslashes": ("\\\\example.com\\x", "https://example.com/x"),
    "case and port": ("HTTPS://EXAMPLE.com:443/X", "https://example.com/X"),
    "international": ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
    "mail": ("MAILTO:a@example.com", "mailto:a@example.com"),
    "empty": ("", None),
    "only a hash": ("#", None),
    "javascript": ("javascript:alert(1)", None),
    "javascript in disguise": (" java\n\tscript&colon;alert(1)", None),
    "control characters": ("\x01javascript:alert(1)", None),
    "data": ("data:text/html,x", None),
    "vbscript": ("vbscript:x", None),
    "file": ("file:///etc/passwd", None),
    "blob": ("blob:https://example.org/x", None),
    "broken": ("http://[", None),
    "too long": ("/" + "x" * 9000, None),
}


@pytest.mark.parametrize(("href", "expected"), LINKS.values(), ids=LINKS)
def test_links_are_absolute_or_lose_their_address(href: str, expected: str | None) -> None:
    tag = f'<a href="{expected}" {LINK_TAIL}>' if expected else "<a>"
    assert sanitize(f'<p><a href="{href}">x</a></p>') == f"<p>{tag}x</a></p>"


@pytest.mark.parametrize(
    "href", ["#part", " #part ", "#top", "#link-1", "#offset-1", "#offset-x-2"]
)
def test_links_to_places_that_are_not_there_become_text(href: str) -> None:
    assert sanitize(f'<p>a <a href="{href}"><b>b</b></a></p>') == "<p>a <b>b</b></p>"


def test_links_to_offsets_stay_as_they_are() -> None:
    html = '<p><a href="#offset-0-12" title="t">a</a> <a href="#offset-3-0" lang="de">b</a></p>'
    assert sanitize(html) == html
    assert sanitize('<p><a href="#offset-0-12" target="_blank" rel="me">a</a></p>') == (
        '<p><a href="#offset-0-12">a</a></p>'
    )


def test_link_attributes_are_merged_and_overridden() -> None:
    html = '<a href="/" rel="NoFollow opener me" target="_top" referrerpolicy="unsafe-url">x</a>'
    assert 'rel="nofollow me noopener noreferrer" target="_blank" referrerpolicy="no-referrer"' in (
        sanitize(html)
    )


def test_without_a_base_only_absolute_links_stay() -> None:
    assert sanitize_html('<a href="/x">a</a><a href="https://b.example">b</a>', "") == (
        f'<a>a</a><a href="https://b.example/" {LINK_TAIL}>b</a>'
    )


IMAGES = {
    "plain": ('<img src="a.png" alt=" A  b " width=5>', "news/a.png"),
    "lazy": ('<img src="data:image/gif;base64,R0" data-src="/l.jpg">', "l.jpg"),
    "lazy over placeholder": ('<img src="/blank.gif" data-original="/l.jpg">', "l.jpg"),
    "lazy, other name": ('<img data-lazy-src="/l.jpg">', "l.jpg"),
    "lazy, not a URL": ('<img src="/a.png" data-src="17">', "a.png"),
    "lazy srcset": ('<img data-srcset="/s.jpg 300w, /m.jpg 900w">', "m.jpg"),
    "srcset": ('<img srcset="/s.jpg 300w, /m.jpg 1200w, /l.jpg 4000w">', "m.jpg"),
    "srcset by density": ('<img srcset="/s.jpg, /m.jpg 2x, /l.jpg 4x">', "m.jpg"),
    "srcset with commas": (
        '<img srcset="/w_1,h_2/s.jpg 100w,/w_9,h_8/m.jpg 200w">',
        "w_9,h_8/m.jpg",
    ),
    "picture": ('<picture><source srcset="/p.webp"><img src="/p.jpg"></picture>', "p.jpg"),
    "picture without src": ('<picture><source srcset="/p.webp 1x"><img></picture>', "p.webp"),
    "noscript": ('<img src="data:x"> <noscript><img src="/n.jpg"></noscript>', "n.jpg"),
}


@pytest.mark.parametrize(("html", "path"), IMAGES.values(), ids=IMAGES)
def test_images_resolve_to_one_proxied_source(html: str, path: str) -> None:
    url = f"https://example.org/{path}".replace(",", "%2C")
    assert sanitize(html) == image(url, "A b" if "alt" in html else "")


@pytest.mark.parametrize(
    "html",
    [
        "<img>",
        '<img src="">',
        '<img src="data:image/png;base64,AA">',
        '<img src="javascript:alert(1)">',
        '<img src="/media/image?url=javascript%3Aalert(1)">',
        '<img src="/media/image?url=%2Frelative.png">',
        '<img src="/pixel.gif" width="1" height="1">',
    ],
)
def test_images_without_a_usable_source_go(html: str) -> None:
    assert sanitize(f"<p>a{html}</p>") == "<p>a</p>"


def test_a_proxied_image_stays_as_it_is() -> None:
    html = f"<p>{image('https://example.com/a.png?x=1', 'A &lt;b&gt; &quot;c&quot;')}</p>"
    assert sanitize(html) == html


TEXTS = {
    "NFC": ("<p>Cafe\u0301</p>", "<p>Caf\xe9</p>"),
    "NFC over a removed element": ("<p>e<span>\u0301</span></p>", "<p>\xe9</p>"),
    "carriage returns": ("<p>a\r\nb\rc&#13;d&#13;&#10;e</p>", "<p>a\nb\nc\nd\ne</p>"),
    "newline at the start of pre": ("<pre>\n\n\na\n</pre>", "<pre>a\n</pre>"),
    "newline after a comment": ("<pre><!-- x -->\na</pre>", "<pre>a</pre>"),
    "newline inside code": ("<pre><code>\na</code></pre>", "<pre><code>\na</code></pre>"),
    "NUL": ("<p>a\x00b&#0;c</p>", "<p>ab\ufffdc</p>"),
    "controls": ("<p>a&#1;b\x1fc\x7fd\x80e</p>", "<p>abcde</p>"),
    "lone surrogates": ("<p>a\ud800b\udc00c\ud83d\ude00</p>", "<p>a\ufffdb\ufffdc😀</p>"),
    "byte order mark": ("\ufeffa", "a"),
    "attributes": ('<a title=" a\r\n\x00 b ">x</a>', '<a title="a \ufffd b">x</a>'),
}


@pytest.mark.parametrize(("html", "expected"), TEXTS.values(), ids=TEXTS)
def test_text_is_tidied(html: str, expected: str) -> None:
    assert sanitize(html) == expected


HOSTILE = {
    "10,000 levels": "<div>" * 10_000 + "deep" + "</div>" * 10_000,
    "100,000 levels, never closed": "<blockquote>" * 100_000 + "deep",
    "levels of lists": "<ul><li>" * 50_000 + "deep",
    "levels of tables": "<table><tr><td>" * 20_000 + "deep",
    "levels of bold": "<b>" * 100_000 + "deep",
    "levels of options": "<select>" + "<option>" * 100_000 + "</select>deep",
    "100,000 nodes": "<p>deep</p>" * 50_000 + "<span>deep</span> " * 50_000,
    "open formatting in each paragraph": "".join(f"<b id={i}><p>deep" for i in range(20_000)),
    "spans around headings": "<span>" * 50_000 + "<h1>deep</h1>" * 20_000,
    "comments that never end": "deep" + "<!--" * 100_000,
    "brackets": "deep" + "<" * 100_000,
    "a long srcset": '<img srcset="' + "a," * 500_000 + '">deep',
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE)
def test_hostile_nesting_is_bounded(html: str) -> None:
    result = sanitize_html(html, BASE)
    assert sanitize_html(result, BASE) == result
    assert "deep" in canonicalize(result)


def test_words_stay_apart_where_nesting_is_cut() -> None:
    html = "".join(f"<div>w{i}" for i in range(5000))
    words = canonicalize(sanitize_html(html, BASE)).split()
    assert words == [f"w{i}" for i in range(5000)]


TOO_LARGE = {
    "characters": "x" * (MAX_CHARACTERS + 1),
    "tags": "<p>" * (MAX_TAGS + 1),
    "escaping": "&" * (MAX_CHARACTERS // 4),
    "a long link around many blocks": f'<a href="/{"x" * 8000}">' + "<p>x</p>" * 10_000,
}


@pytest.mark.parametrize("html", TOO_LARGE.values(), ids=TOO_LARGE)
def test_too_much_is_refused_with_a_reason(html: str) -> None:
    with pytest.raises(SanitizationError, match=r"too large|too many"):
        sanitize_html(html, BASE)

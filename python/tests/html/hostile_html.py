"""HTML that costs a careless cleaner far more than its length, in every size."""

from collections.abc import Callable

Shape = Callable[[int], str]

MARKS = "\u0301\u0323"

# Each is given a number and returns HTML whose length grows with it.
SHAPES: dict[str, Shape] = {
    "combining marks in turns": lambda n: "a" + MARKS * (n // 2),
    "marks made of marks": lambda n: "\u0f73" * n,
    "marks in attributes": lambda n: f'<img src=a alt="a{MARKS * (n // 2)}">' * 2,
    "marks in pieces": lambda n: "a" + f"<span>{MARKS}</span>" * (n // 8),
    "hangul and starters": lambda n: "\u1112\u1161\u11ab\u0301" * (n // 4),
    "sources and images": lambda n: (
        "<picture>" + "<source srcset=':'>" * (n // 40) + "<img>" * (n // 40) + "</picture>"
    ),
    "sources after images": lambda n: (
        "<picture>" + "<img>" * (n // 40) + "<source srcset=':'>" * (n // 40) + "</picture>"
    ),
    "pictures in pictures": lambda n: "<picture><img><source srcset=:>" * (n // 30),
    "srcset of digits": lambda n: f'<img data-srcset="a {"1" * n}">',
    "srcset of brackets": lambda n: f'<img data-srcset="a {"(" * n}">',
    "srcset of commas": lambda n: f'<img srcset="{"," * n}">',
    "srcset of letters and commas": lambda n: f'<img srcset="{"a, " * (n // 3)}">',
    "srcset of one address": lambda n: f'<img srcset="{"a," * (n // 2)}b 1x">',
    "many srcsets": lambda n: '<img srcset="a 1x, b 2x, : 3x">' * (n // 32),
    "attributes": lambda n: f"<p {' '.join(f'a{i}' for i in range(n // 6))}>x",
    "attributes with quoted ends": lambda n: (
        "<p " + " ".join(f'a{i}=">"' for i in range(n // 10)) + ">x"
    ),
    "attributes without spaces": lambda n: (
        "<p " + "".join(f'a{i}=""' for i in range(n // 8)) + ">x"
    ),
    "attributes on many elements": lambda n: (
        f"<p {' '.join(f'a{i}' for i in range(200))}>x</p>" * (n // 900)
    ),
    "an attribute in pieces": lambda n: "<a x=\">'" * (n // 8),
    "a long tag name": lambda n: "<a" * (n // 2),
    "long attributes": lambda n: f'<p style="{"display " * (n // 8)}" class="{"x" * n}">x',
    "styles": lambda n: '<p style="display   :  nonee">x</p>' * (n // 32),
    "rel": lambda n: "".join(f'<a href=/x rel="{"a" * 500}{i}">x</a>' for i in range(n // 530)),
    "mis-nested formatting": lambda n: (
        "".join(f"<b class=x{i}>" for i in range(n // 40)) + "<p>x" * (n // 16)
    ),
    "formatting in turns": lambda n: "<b><i><p>x</b></i>" * (n // 18),
    "formatting across blocks": lambda n: "<b><div><i><div><u><div>x</b></i></u>" * (n // 36),
    "fonts in tables": lambda n: "<table><font color=a><td><font size=2><tr>x" * (n // 42),
    "links in links": lambda n: '<a href="/x"><div><a href="/y"><p>x' * (n // 32),
    "depth": lambda n: "<div>" * (n // 5) + "x",
    "spans": lambda n: "<span>" * (n // 6) + "x",
    "lists in lists": lambda n: "<ul><li>x" * (n // 9),
    "tables in tables": lambda n: "<table><tr><td>x" * (n // 16),
    "text in tables": lambda n: "<table>" + "x<tr>" * (n // 5),
    "quotes in quotes": lambda n: "<blockquote>x" * (n // 13),
    "captions": lambda n: (
        "<table>" + "<caption>x</caption>" * (n // 40) + "</table><table></table>" * (n // 46)
    ),
    "paragraphs": lambda n: "<p>word" * (n // 7),
    "pre": lambda n: "<pre>" + "<b>x</b><div></div>\n" * (n // 22),
    "closing tags": lambda n: "</p></b></div>" * (n // 14),
    "comments": lambda n: "<!--x-->y" * (n // 9),
    "open comments": lambda n: "<!--" * (n // 4),
    "open scripts": lambda n: "<script>" * (n // 8),
    "less-than signs": lambda n: "< <" * (n // 3),
    "references": lambda n: "&amp;x" * (n // 6),
    "broken references": lambda n: "&#x110000;&bogus;" * (n // 17),
    "zeros": lambda n: "\0x" * (n // 2),
    "white space": lambda n: " \n" * (n // 2) + "x",
    "breaks": lambda n: "x<br>" * (n // 5),
    "hidden": lambda n: "<p hidden>x<p aria-hidden=true>y" * (n // 32),
    "noscript images": lambda n: "<img><noscript><img src=a></noscript>" * (n // 38),
    "long words": lambda n: "x" * n,
    "wide words": lambda n: "猫" * n,
    "unclosed selects": lambda n: "<select><option>x" * (n // 17),
    "forms": lambda n: "<form><fieldset><legend>x" * (n // 26),
    "ruby": lambda n: "<ruby>x<rt>y" * (n // 12),
    "readings": lambda n: "<ruby>" + "x<rt>y" * (n // 6),
    "details in details": lambda n: "<details><p>x<summary>y" * (n // 23),
    "summaries": lambda n: "<details>" + "<p>x<summary>y</summary>" * (n // 24),
    "definitions": lambda n: "<dl>" + "<dt>x<dd>y" * (n // 10),
    "figures in figures": lambda n: "<figure><figcaption>x" * (n // 21),
    "languages": lambda n: f'<p lang="{"en-" * n}x" dir="{"rtl" * n}">x</p><p lang=de>y' * 2,
    "languages of boxes": lambda n: (
        "<div lang=de dir=rtl>" * 50 + "<div lang=ar>x<p dir=ltr>y</div>" * (n // 32)
    ),
    "languages of words": lambda n: "<span lang=de>x<p>y" * (n // 19),
    "formulas": lambda n: "<math><mi>x</mi></math>" * (n // 23),
    "a long formula": lambda n: "<math>" + "<mfrac><mi>x</mi><mi>y</mi></mfrac>" * (n // 34),
    "a deep formula": lambda n: "<math>" + "<msup><mrow>" * (n // 12) + "<mi>x",
    "formulas in tokens": lambda n: "<math><mtext>x" * (n // 14),
    "fences": lambda n: "<math><mfenced>" + "<mi>x</mi>" * (n // 10),
    "fences in fences": lambda n: "<math>" + "<mfenced>x" * (n // 10),
    "markup in tokens": lambda n: "<math><mtext>" + "<b>x<p>y" * (n // 8),
    "choices": lambda n: "<math>" + "<semantics><annotation>x</annotation>" * (n // 37) + "y",
    "notes of formulas": lambda n: (
        "<math>" + "<annotation encoding=tex></annotation>" * (n // 38) + "</math>"
    ),
    "names": lambda n: "".join(f"<p id=x{i}>x" for i in range(n // 12)) + "<a href=#x1>y",
    "one name": lambda n: "<p id=x>x" * (n // 9) + "<a href=#x>y",
    "links to names": lambda n: "".join(
        f"<a href=#x{i}>x</a><b id=x{i}>y</b>" for i in range(n // 40)
    ),
    "links to one name": lambda n: "<b id=x>y</b>" + "<a href=#x>x</a>" * (n // 16),
    "links to no name": lambda n: "".join(f"<a href=#x{i}>x</a>" for i in range(n // 18)),
    "names in one text": lambda n: (
        "<p>" + "".join(f"e<a id=x{i}></a>\u0301<a href=#x{i}></a>" for i in range(n // 40)) + "x"
    ),
    "names in formulas": lambda n: "".join(
        f"<math><mi id=x{i}>y</mi></math><a href=#x{i}>x</a>" for i in range(n // 50)
    ),
    "long names": lambda n: f"<p id={'x' * n}>x</p><a href=#{'x' * n}>y</a>",
    "encoded names": lambda n: f"<p id={'%41' * 300}>x</p>" + f"<a href=#{'%41' * 300}>y</a>" * 9,
    "headings": lambda n: "<h2>x</h2>" * (n // 10),
    "headings in turns": lambda n: "".join(f"<h{i % 6 + 1}>x" for i in range(n // 5)),
    "embedded": lambda n: "<video><source src=a>" * (n // 21),
    "frames": lambda n: "<iframe src=//a.example></iframe>" * (n // 32),
    "foreign": lambda n: "<svg><p>x<math><b>y" * (n // 19),
    "templates": lambda n: "<template><p>x" * (n // 14),
    "inline in blocks": lambda n: (
        f'<a href="/{"x" * 100}"><b><i><u><s>' + "<p>x" * (n // 400) + "</a>"
    ),
}

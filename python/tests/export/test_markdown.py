"""What a Markdown program makes of an exported page: the text, and nothing else."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from nexus.db.enums import HighlightColor, MediaKind, ProcessingStatus, ReadingState
from nexus.export.items import ExportedItem, FragmentOfItem
from nexus.export.markdown import inline, paragraphs
from nexus.export.template import OurPages
from nexus.export.view import view_of
from nexus.schemas.highlights import AnnotationOut, HighlightOfMedia, PageOfText
from nexus.schemas.media import Capabilities, MediaOut

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
PAGES = OurPages()
READER = MarkdownIt("gfm-like", {"linkify": False})
HOSTILE = [
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![x](https://example.org/track.png)",
    "<img src=x onerror=alert(1)>",
    "`code` **bold** _em_ ~~gone~~ | cell |",
    "# heading",
    "- item",
    "1. first",
    "12) twelfth",
    "+ plus",
    "===",
    "---",
    "> quote",
    "&lt;b&gt; &amp; &#60;",
    "back\\slash \\[not a link\\](x)",
    "<https://example.org>",
    "[[wiki]] ![[embed]] #tag $x$ %%hidden%% ^id",
    "\tindented",
    "    four spaces",
    "two\nlines",
    "a\u2028b\x00c\x1b[31m",
    "quotes \" and ' and : and {{ templates }}",
]


def words(tokens: list[Token]) -> str:
    """The text of a page, which must hold nothing but text."""
    for token in tokens:
        assert token.type in {"paragraph_open", "paragraph_close", "inline"}, token
        for child in token.children or []:
            assert child.type == "text", child
    return " ".join(token.content for token in tokens if token.type == "inline")


def plain(text: str) -> str:
    """What is left to compare when lines and control characters have become spaces."""
    return " ".join("".join(c if c.isprintable() or c.isspace() else " " for c in text).split())


def shown(text: str) -> str:
    tokens = READER.parse(paragraphs(text))
    words(tokens)
    return " ".join(
        "".join(child.content for child in token.children or [])
        for token in tokens
        if token.type == "inline"
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(text: str) -> None:
    assert shown(text) == plain(text)


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=60))
def test_any_text_is_only_text(text: str) -> None:
    assert shown(text).split() == text.split()


@given(st.text("#-+=*_`~[]()<>!&|\\ 1.):\n$%^", max_size=40))
def test_any_punctuation_is_only_text(text: str) -> None:
    assert shown(text).split() == text.split()


def item(title: str, **changes: object) -> ExportedItem:
    nothing = dict.fromkeys(MediaOut.model_fields)
    media = MediaOut.model_validate(
        nothing
        | {
            "id": uuid4(),
            "kind": MediaKind.WEB_ARTICLE,
            "title": title,
            "requested_url": "https://example.org/a",
            "processing_status": ProcessingStatus.READY_FOR_READING,
            "processing_attempts": 1,
            "state": ReadingState.UNREAD,
            "progress": 0.0,
            "archived": False,
            "favourite": False,
            "tags": [],
            "authors": ["Ann Author", "Bo Writer"],
            "published_at": "2019-05",
            "created_at": NOW,
            "updated_at": NOW,
            "saved_at": NOW,
            "can_retry": False,
            "capabilities": dict.fromkeys(Capabilities.model_fields, True),
            "duplicate": False,
        }
        | changes
    )
    fragment = FragmentOfItem("<p>One.</p><p># Two.</p>", "One.\n# Two.")
    highlight_id = uuid4()
    note = AnnotationOut(
        id=uuid4(), highlight_id=highlight_id, body="- mine\nstill", created_at=NOW, updated_at=NOW
    )
    highlight = HighlightOfMedia(
        id=highlight_id,
        fragment_id=uuid4(),
        media_id=media.id,
        media_title=title,
        chapter=None,
        start_offset=0,
        end_offset=11,
        color=HighlightColor.BLUE,
        exact=fragment.text,
        prefix="",
        suffix="",
        created_at=NOW,
        updated_at=NOW,
        annotation=note,
    )
    return ExportedItem(
        media=media, libraries=["Read: later"], fragments=[fragment], highlights=[highlight]
    )


def item_page(exported: ExportedItem) -> str:
    return PAGES.page(view_of(exported))


@pytest.mark.parametrize("title", [*HOSTILE, "---\nmalice: true\n---", "日本語 🙂 é"])
def test_the_head_is_what_was_saved(title: str) -> None:
    page = item_page(item(title))
    _, head, body = page.split("---\n", 2)
    fields = yaml.safe_load(head)
    assert fields["title"] == title
    assert (fields["address"], fields["libraries"]) == ("https://example.org/a", ["Read: later"])
    assert str(fields["saved"]) == "2026-11-15"
    assert body.startswith(f"\n# {inline(title)}\n\n<https://example.org/a>\n")


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_the_head_is_always_readable(title: str) -> None:
    _, head, _ = item_page(item(title)).split("---\n", 2)
    assert yaml.safe_load(head)["title"] == title


def test_a_page_is_highlights_with_notes_and_then_the_text() -> None:
    page = item_page(item("Title"))
    html = READER.render(page.split("---\n", 2)[2])
    assert html.split("\n") == [
        "<h1>Title</h1>",
        '<p><a href="https://example.org/a">https://example.org/a</a></p>',
        "<h2>Highlights</h2>",
        "<blockquote>",
        "<p>One.</p>",
        "<p># Two.</p>",
        "</blockquote>",
        "<p><em>blue, 2026-11-15</em></p>",
        "<p>- mine</p>",
        "<p>still</p>",
        "<h2>Text</h2>",
        "<p>One.</p>",
        "<p># Two.</p>",
        "",
    ]


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ((12, "12"), None, "p. 12, blue, 2026-11-15"),
        ((14, "xii"), None, "p. xii, blue, 2026-11-15"),
        ((14, "xii"), (15, "xiii"), "pp. xii–xiii, blue, 2026-11-15"),
        ((3, " "), None, "p. 3, blue, 2026-11-15"),
        ((3, "*a* <b>"), None, "p. *a* &lt;b&gt;, blue, 2026-11-15"),
    ],
)
def test_a_highlight_of_a_paged_document_names_its_page(
    first: tuple[int, str], last: tuple[int, str] | None, words: str
) -> None:
    paged = item("Title")
    (highlight,) = paged.highlights
    highlight.page = PageOfText(number=first[0], label=first[1])
    highlight.end_page = last and PageOfText(number=last[0], label=last[1])
    html = READER.render(item_page(paged).split("---\n", 2)[2])
    assert f"<p><em>{words}</em></p>" in html


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "https://a/><script>", "https://a b", "https://a\n", None]
)
def test_an_address_that_is_none_is_no_link(address: str | None) -> None:
    body = item_page(item("Title", requested_url=address)).split("---\n", 2)[2]
    html = READER.render(body)
    assert "<script" not in html
    assert "href" not in html

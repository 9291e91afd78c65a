"""An item as a page of Markdown. Whatever the web put into titles and texts stays plain text.

Addresses in it may become links, where a program makes links of them.
"""

import json
import re
import unicodedata
from datetime import datetime

from nexus.export.item import ExportedItem
from nexus.schemas.highlights import HighlightOut

# What means something to some Markdown: HTML, links, tags, formulas, tables and comments included.
_MEANS_SOMETHING = re.compile(r"[\\`*_{}\[\]<>#|~&$%^]|=(?==)|:(?=:)")
_MEANS_SOMETHING_FIRST = re.compile(r"^([-+=:!]|\d+(?=[.)]))", re.ASCII)
_BARE_ADDRESS = re.compile(r"https?://[^\s<>\"\\]+")


def item_page(item: ExportedItem) -> str:
    """Who, where and when; then the highlights with their notes; then the text."""
    title = inline(item.media.title)
    parts = [_front_matter(item), f"# {title}", *_source(item)]
    if item.highlights:
        parts += ["## Highlights", *(_highlight(each) for each in item.highlights)]
    if item.fragments:
        parts += ["## Text", *(paragraphs(each.canonical_text) for each in item.fragments)]
    return "\n\n".join(parts) + "\n"


def inline(text: str) -> str:
    """One line that is only text."""
    visible = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    escaped = _MEANS_SOMETHING.sub(r"\\\g<0>", " ".join(visible.split()))
    return _MEANS_SOMETHING_FIRST.sub(_hold_back, escaped)


def paragraphs(text: str) -> str:
    """Each line of the text a paragraph of its own."""
    return "\n\n".join(line for line in map(inline, text.splitlines()) if line)


def _hold_back(match: re.Match[str]) -> str:
    start = match[0]
    return f"{start}\\" if start.isdigit() else f"\\{start}"


def _source(item: ExportedItem) -> list[str]:
    address = item.media.canonical_source_url or item.media.requested_url or ""
    return [f"<{address}>"] if _BARE_ADDRESS.fullmatch(address) else []


def _highlight(highlight: HighlightOut) -> str:
    quote = "\n>\n".join(f"> {line}" for line in paragraphs(highlight.exact).split("\n\n"))
    page = [inline(page_words(highlight))] if highlight.page else []
    marked = f"*{', '.join([*page, highlight.color, _day(highlight.created_at)])}*"
    note = [paragraphs(highlight.annotation.body)] if highlight.annotation else []
    return "\n\n".join([quote, marked, *note])


def page_words(highlight: HighlightOut) -> str:
    """Where it is, as one cites it: "p. xii", "pp. 12–13"."""
    pages = [page for page in (highlight.page, highlight.end_page) if page is not None]
    labels = [page.label.strip() or str(page.number) for page in pages]
    return f"{'pp.' if len(labels) > 1 else 'p.'} {'–'.join(labels)}"


def _front_matter(item: ExportedItem) -> str:
    """The head that note-taking programs read."""
    fields: dict[str, str | list[str]] = {
        "title": item.media.title,
        "address": item.media.canonical_source_url or item.media.requested_url or "",
        "kind": item.media.kind.value,
        "authors": item.media.authors,
        "site": item.media.site_name or "",
        "published": item.media.published_at or "",
        "saved": _day(item.media.created_at),
        "libraries": item.libraries,
        "nexus_id": str(item.media.id),
    }
    lines = [f"{name}: {_yaml(value)}" for name, value in fields.items()]
    return "\n".join(["---", *lines, "---"])


def _yaml(value: str | list[str]) -> str:
    """JSON is YAML, except for characters that YAML requires as escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if _is_printable(c) else f"\\u{ord(c):04x}" for c in text)


def _is_printable(char: str) -> bool:
    if char in "\ufffe\uffff":
        return False
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} or ord(char) > 0xFFFF


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"

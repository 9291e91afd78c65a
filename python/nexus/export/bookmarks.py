"""Netscape bookmarks, which browsers and other programs import: libraries are folders."""

import unicodedata
from collections.abc import Iterator
from html import escape

from nexus.db.enums import ReadingState
from nexus.export.items import ExportedItem
from nexus.export.job import ExportJob

_HEAD = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
"""


def write(job: ExportJob) -> Iterator[bytes]:
    """An item in several libraries is in each of their folders."""
    yield _HEAD.encode()
    for library_id, name in job.selection.libraries.items():
        opened = False
        for item in job.items(library_id=library_id):
            if not opened:
                yield f"<DT><H3>{_text(name)}</H3>\n<DL><p>\n".encode()
                opened = True
            yield _bookmark(item)
        if opened:
            yield b"</DL><p>\n"
    for item in job.items(unfiled=True):
        yield _bookmark(item)
    yield b"</DL><p>\n"


def _bookmark(item: ExportedItem) -> bytes:
    address = item.address or ""
    if not address.startswith(("http://", "https://")):
        return b""
    saved = int(item.media.saved_at.timestamp())
    attributes = {"HREF": address, "ADD_DATE": str(saved)}
    if item.media.tags:
        # No tag has a comma in it.
        attributes["TAGS"] = ",".join(item.media.tags)
    if item.media.state is ReadingState.UNREAD and not item.media.archived:
        attributes["TOREAD"] = "1"
    written = " ".join(f'{name}="{_text(value)}"' for name, value in attributes.items())
    about = f"<DD>{_text(item.media.excerpt)}\n" if item.media.excerpt else ""
    return f"<DT><A {written}>{_text(item.media.title)}</A>\n{about}".encode()


def _text(text: str) -> str:
    visible = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    return escape(" ".join(visible.split()))

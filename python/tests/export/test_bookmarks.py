"""Netscape bookmarks."""

from datetime import UTC, datetime

from selectolax.lexbor import LexborHTMLParser
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from nexus.db.models import Library, LibraryMedia, ShelfItem
from nexus.schemas.exports import ExportFormat
from nexus.schemas.shelf import MineRequest
from nexus.services.shelf import change_mine
from nexus.services.viewer import Viewer
from tests.export.exporting import exported
from tests.factories import make_article, make_library, make_media, make_user

SAVED = datetime(2020, 9, 13, 12, 26, 40, tzinfo=UTC)


def saved_long_ago(session: Session, person: Viewer) -> None:
    """All that a person has. Shelves of others are looked at by other tests."""
    libraries = select(Library.id).where(Library.owner_user_id == person.user_id)
    entries = update(LibraryMedia).where(LibraryMedia.library_id.in_(libraries))
    session.execute(entries.values(created_at=SAVED))
    own = update(ShelfItem).where(ShelfItem.user_id == person.user_id)
    session.execute(own.values(saved_at=SAVED))


def test_folders_dates_tags_and_what_is_to_be_read(session: Session) -> None:
    ada = make_user(session)
    shelf = make_library(session, ada, name="Research & <Go>")
    make_library(session, ada, name="Empty")
    filed = make_article(
        session,
        ada,
        title="Filed",
        requested_url="https://example.org/?a=1&b=2",
        excerpt="What it\nsays",
    )
    session.add(LibraryMedia(library_id=shelf.id, media_id=filed.media_id))
    loose = make_article(session, ada, title="Loose", requested_url="https://example.org/loose")
    make_media(session, ada, title="A file", requested_url=None)
    request = MineRequest(tags=["x", "y z"])
    change_mine(session, ada, media_id=filed.media_id, request=request)
    change_mine(session, ada, media_id=loose.media_id, request=MineRequest(archived=True))
    saved_long_ago(session, ada)
    data, _ = exported(session, ada, ExportFormat.BOOKMARKS)
    assert data.decode() == (
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"
        '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n'
        "<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n"
        "<DT><H3>Research &amp; &lt;Go&gt;</H3>\n<DL><p>\n"
        '<DT><A HREF="https://example.org/?a=1&amp;b=2" ADD_DATE="1600000000" TAGS="x,y z"'
        ' TOREAD="1">Filed</A>\n<DD>What it says\n'
        "</DL><p>\n"
        '<DT><A HREF="https://example.org/loose" ADD_DATE="1600000000">Loose</A>\n'
        "</DL><p>\n"
    )


def test_titles_are_text_and_only_web_addresses_are_links(session: Session) -> None:
    ada = make_user(session)
    title = '"><script>alert(1)</script></A><DT><A HREF="javascript:x">\n'
    make_article(session, ada, title=title, excerpt="<DL><p>")
    make_article(session, ada, title="No", requested_url="javascript:alert(1)")
    data, _ = exported(session, ada, ExportFormat.BOOKMARKS)
    tree = LexborHTMLParser(data.decode())
    assert tree.css("script") == []
    [link] = tree.css("a")
    assert link.attributes["href"] == "https://example.org/article"
    assert link.text() == title.strip()

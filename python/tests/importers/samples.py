"""A file of every format with as many items as wanted, whose addresses end in their numbers."""

import csv
import io
import json
from collections.abc import Callable, Iterable
from typing import Any

from tests.importers.reading import zipped

WORDS = "Some words, “quoted” & marked, that stand in the text"


def table(header: str, rows: Iterable[Iterable[object]]) -> bytes:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(header.split(","))
    writer.writerows(rows)
    return written.getvalue().encode()


def address(number: int) -> str:
    return f"https://site{number % 7}.example/a/{number}?x=1&y=2"


def netscape(count: int) -> bytes:
    links = "".join(
        f'<DT><A HREF="{address(n).replace("&", "&amp;")}" ADD_DATE="{1600000000 + n}"'
        f' TAGS="x,t{n % 5}">Page {n} &amp; more</A>\n<DD>About {n}\n'
        for n in range(count)
    )
    return (
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n"
        f'<DL><p>\n<DT><H3 ADD_DATE="1600000000">Folder</H3>\n<DL><p>\n{links}</DL><p>\n</DL><p>\n'
    ).encode()


def _pocket_rows(numbers: range) -> bytes:
    rows = ((f"Page, {n}", address(n), 1500000000 + n, "a|b c", "unread") for n in numbers)
    return table("title,url,time_added,tags,status", rows)


def pocket(count: int) -> bytes:
    marks = [
        {
            "url": address(n),
            "title": f"Page, {n}",
            "highlights": [{"quote": f"{WORDS} {n}", "created_at": 1600000000}],
        }
        for n in range(0, count, 3)
    ]
    shared = {
        "slug": "mine",
        "title": "Shared",
        "items": [{"url": address(0), "title": "Page, 0", "excerpt": "About", "note": "Good"}],
    }
    return zipped(
        {
            "part_000000.csv": _pocket_rows(range(count // 2)),
            "part_000001.csv": _pocket_rows(range(count // 2, count)),
            "annotations/part_000000.json": json.dumps(marks),
            "collections/mine.json": json.dumps(shared),
        }
    )


def pocket_list(count: int) -> bytes:
    return _pocket_rows(range(count))


def pocket_page(count: int) -> bytes:
    links = "".join(
        f'<li><a href="{address(n)}" time_added="{1500000000 + n}" tags="x,y">Page {n}</a></li>\n'
        for n in range(count)
    )
    return (
        "<!DOCTYPE html><html><head><title>Pocket Export</title></head><body>\n"
        f"<h1>Unread</h1>\n<ul>\n{links}</ul>\n<h1>Read Archive</h1>\n<ul></ul></body></html>"
    ).encode()


def instapaper(count: int) -> bytes:
    rows = (
        (address(n), f"Page, {n}", WORDS if n % 2 else "", "Archive", 1600000000 + n, '["t"]')
        for n in range(count)
    )
    return table("URL,Title,Selection,Folder,Timestamp,Tags", rows)


def omnivore(count: int) -> bytes:
    files: dict[str, str | bytes] = {}
    for start in range(0, count, 20):
        items = [
            {
                "id": str(n),
                "slug": f"page-{n}",
                "title": f"Page {n}",
                "description": None,
                "author": "N. Writer",
                "url": address(n),
                "state": "Archived" if n % 2 else "Active",
                "readingProgress": 40,
                "labels": ["t1"],
                "savedAt": "2024-10-01T10:00:00.000Z",
                "publishedAt": None,
            }
            for n in range(start, min(start + 20, count))
        ]
        files[f"metadata_{start}_to_{start + 20}.json"] = json.dumps(items)
        files[f"highlights/page-{start}.md"] = f"> {WORDS} \n\n#idea #later\n\nmy note\n\n"
    files["content/page-1.pdf"] = b"%PDF-1.4 not really"
    return zipped(files)


def readwise(count: int) -> bytes:
    header = (
        "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,"
        "Highlighted at,Document tags"
    )
    rows = (
        [
            *(f"{WORDS}\n{n}", f"Book {n}", "N. Writer", "B0", "a note", "yellow"),
            *("idea,.favorite", "location", n, "2024-05-01 10:00:00+00:00", ""),
        ]
        for n in range(count)
    )
    return table(header, rows)


def readwise_import(count: int) -> bytes:
    rows = (
        (f"{WORDS} {n}", f"Page {n}", "N. Writer", address(n), "a note", n, "2024-05-01 10:00:00")
        for n in range(count)
    )
    return table("Highlight,Title,Author,URL,Note,Location,Date", rows)


def readwise_reader(count: int) -> bytes:
    rows = (
        [
            *(
                f"Page, {n}",
                address(n),
                f"01{n}",
                "['x', \"it's\"]",
                "2024-01-15 10:00:00.123000+00:00",
            ),
            *(0.4, "archive", "True"),
        ]
        for n in range(count)
    )
    header = "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen"
    return table(header, rows)


def raindrop(count: int) -> bytes:
    rows = (
        [
            *(n, f"Page, {n}", "my note", "short text", address(n), "Research / Go", "reading, go"),
            *("2024-01-02T03:04:05.123Z", "", f"First mark {n}\nSecond mark {n}", "true"),
        ]
        for n in range(count)
    )
    return table("id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite", rows)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def wallabag(count: int, *, words: int = 3) -> bytes:
    return _json(
        [
            {
                "id": n,
                "title": f"Page {n}",
                "url": address(n),
                "is_archived": n % 2,
                "is_starred": 0,
                "content": f"<p>{WORDS * words}</p>",
                "tags": ["t"],
                "created_at": "2024-01-01T10:00:00+0200",
                "annotations": [{"text": "note", "quote": f"{WORDS} {n}", "ranges": []}],
            }
            for n in range(count)
        ]
    )


def karakeep(count: int) -> bytes:
    bookmarks = [
        {
            "createdAt": 1700000000 + n,
            "title": f"Page {n}",
            "tags": ["t"],
            "lists": ["l2"],
            "content": {"type": "link", "url": address(n)},
            "note": "a note",
            "archived": bool(n % 2),
        }
        for n in range(count)
    ]
    lists = [
        {"id": "l1", "name": "Top", "type": "manual", "query": None, "parentId": None},
        {"id": "l2", "name": "Sub", "type": "manual", "query": None, "parentId": "l1"},
    ]
    return _json({"bookmarks": bookmarks, "lists": lists})


def linkwarden(count: int) -> bytes:
    links = [
        {
            "id": n,
            "name": f"Page {n}",
            "type": "url",
            "url": address(n),
            "tags": [{"name": "dev"}],
            "createdAt": "2025-01-01T00:00:00.000Z",
        }
        for n in range(count)
    ]
    top = {"id": 1, "name": "Tech", "parentId": None, "links": links[: count // 2]}
    sub = {"id": 2, "name": "Sub", "parentId": 1, "links": links[count // 2 :]}
    return _json({"name": "someone", "collections": [top, sub], "pinnedLinks": [{"id": 0}]})


def hypothesis(count: int) -> bytes:
    annotations = [
        {
            "id": f"x{n}",
            "created": "2025-06-01T10:00:00.123456+00:00",
            "updated": "2025-06-02T10:00:00.123456+00:00",
            "uri": address(n),
            "text": "a note",
            "tags": ["t"],
            "document": {"title": [f"Page {n}"]},
            "target": [
                {
                    "source": address(n),
                    "selector": [
                        {"type": "TextPositionSelector", "start": 10 + n, "end": 14 + n},
                        {
                            "type": "TextQuoteSelector",
                            "exact": WORDS,
                            "prefix": "in ",
                            "suffix": " of",
                        },
                    ],
                }
            ],
        }
        for n in range(count)
    ]
    return _json(
        {
            "export_date": "2026-01-01T00:00:00.000Z",
            "export_userid": "acct:a@example.org",
            "client_version": "1.0",
            "annotations": annotations,
        }
    )


def w3c(count: int) -> bytes:
    annotations = [
        {
            "id": f"urn:uuid:{n}",
            "type": "Annotation",
            "body": [{"type": "TextualBody", "value": "a note", "purpose": "commenting"}],
            "target": {
                "source": address(n),
                "selector": [{"type": "TextQuoteSelector", "exact": f"{WORDS} {n}"}],
            },
        }
        for n in range(count)
    ]
    context = "http://www.w3.org/ns/anno.jsonld"
    page = {"type": "AnnotationPage", "items": annotations}
    return _json({"@context": context, "type": "AnnotationCollection", "first": page})


def pinboard(count: int) -> bytes:
    return _json(
        [
            {
                "href": address(n),
                "description": f"Page {n}",
                "extended": "a note",
                "time": "2024-01-01T10:00:00Z",
                "toread": "yes",
                "tags": "a b",
            }
            for n in range(count)
        ]
    )


def matter(count: int) -> bytes:
    rows = (
        [
            *(f"Page, {n}", "N. Writer", "Site", address(n), 100, "True", "False", 1),
            *("2024-01-02 03:04:05", f"f{n}", "a;b", "True", "True"),
        ]
        for n in range(count)
    )
    header = (
        "Title,Author,Publisher,URL,Word Count,Saved,Read,Highlight_Count,Last Interaction Date,"
        "File Id,Tags,In Queue,Favorited"
    )
    return zipped({"Archive/_matter_history.csv": table(header, rows)})


def kindle(count: int) -> bytes:
    entries = (
        f"Book {n} (Writer, Nora)\r\n"
        f"- Your Highlight on page {n} | Location {n * 10}-{n * 10 + 5} | Added on Monday, "
        f"4 March 2024 22:15:32\r\n\r\n{WORDS} {n}\r\n==========\r\n"
        for n in range(1, count + 1)
    )
    return "\ufeff".encode() + "".join(entries).encode()


SAMPLES: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "netscape": ("netscape", netscape),
    "pocket": ("pocket", pocket),
    "pocket list": ("pocket", pocket_list),
    "pocket page": ("pocket", pocket_page),
    "instapaper": ("instapaper", instapaper),
    "omnivore": ("omnivore", omnivore),
    "readwise": ("readwise", readwise),
    "readwise import": ("readwise", readwise_import),
    "readwise reader": ("readwise_reader", readwise_reader),
    "raindrop": ("raindrop", raindrop),
    "wallabag": ("wallabag", wallabag),
    "karakeep": ("karakeep", karakeep),
    "linkwarden": ("linkwarden", linkwarden),
    "hypothesis": ("hypothesis", hypothesis),
    "w3c": ("w3c", w3c),
    "pinboard": ("pinboard", pinboard),
    "matter": ("matter", matter),
    "kindle": ("kindle", kindle),
}
"""What it is called, the name of its format, and how a file of so many items is made."""

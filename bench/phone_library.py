"""A library for somebody who reads on a phone: a list of items, and an essay with highlights."""

import random
from dataclasses import asdict
from uuid import UUID, uuid4

from bench.front import Reader
from bench.stack import Stack
from bench.text import words
from nexus.services.highlight_span import span_at

_ITEMS = 60
_WORDS = 4_000
_HIGHLIGHTS = 20


def fill(stack: Stack, reader: Reader) -> UUID:
    """Items as the extractor would have stored them; returns the id of the essay."""
    chance = random.Random(8)
    (library,) = reader.get("/libraries")["libraries"]
    for number in range(_ITEMS):
        other = words(chance, 400)
        store_article(
            stack, library["id"], title=f"Item {number}", html=f"<p>{other}</p>", text=other
        )
    text = words(chance, _WORDS)
    html = f"<p>{text}</p>"
    essay, fragment_id = store_article(stack, library["id"], title="An essay", html=html, text=text)
    for number in range(_HIGHLIGHTS):
        start = number * 37
        span = span_at(text, start, start + 30)
        body = {**asdict(span), "color": "green"}
        reader.post(f"/fragments/{fragment_id}/highlights", body)
    return essay


def store_article(
    stack: Stack, library_id: str, *, title: str, html: str, text: str
) -> tuple[UUID, UUID]:
    """An article in a library; returns its id and its fragment's."""
    media_id, fragment_id = uuid4(), uuid4()
    with stack.connect() as connection:
        connection.execute(
            "INSERT INTO media (id, kind, title, requested_url, processing_status, word_count,"
            " excerpt, site_name) VALUES (%s, 'web_article', %s, %s, 'ready_for_reading', %s, %s,"
            " 'example.org')",
            (media_id, title, f"https://example.org/{media_id}", len(text.split()), text[:200]),
        )
        connection.execute(
            "INSERT INTO fragments (id, media_id, idx, html_sanitized, canonical_text)"
            " VALUES (%s, %s, 0, %s, %s)",
            (fragment_id, media_id, html, text),
        )
        connection.execute(
            "INSERT INTO library_media (library_id, media_id) VALUES (%s, %s)",
            (library_id, media_id),
        )
    return media_id, fragment_id

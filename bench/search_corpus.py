"""Saves the whole corpus in a Nexus of its own and searches for phrases of its texts.

`scripts/search-corpus [COUNT]` prints how many phrases lead to their item among the first three
results, as they are and quoted, and which ones do not.
"""

import contextlib
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote
from uuid import UUID, uuid4

import psycopg

from bench.dataset import data_of
from bench.load import Connection, request
from bench.pages import corpus_pages, serve
from bench.saving import saver
from bench.stack import Stack, nexus_stack
from nexus.text import count_words

_FILES = {"pdf": "application/pdf", "epub": "application/epub+zip"}
_FIRST = 3
_SECONDS = 240.0
# Where there are no spaces, a phrase is some characters.
_LONG_RUN = re.compile(r"\S{40,}")
_CUT_WORDS = re.compile(r"^[A-Za-z0-9]+|[A-Za-z0-9]+$")
_EXCLUDES = re.compile(r"(^|\s)-\w")


@dataclass(frozen=True)
class Phrase:
    text: str
    items: set[UUID]
    """All that have it."""


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    pages = corpus_pages()
    user_id = uuid4()
    with (
        serve(pages) as site,
        nexus_stack(redis=True, allow_private_hosts=(site.host,)) as stack,
        stack.api(),
        stack.program("worker"),
        saver(stack, user_id) as reader,
    ):
        for page in pages:
            with _said(page.name):
                reader.save_and_wait(f"{site.origin}/{page.name}", limit=_SECONDS)
        for kind, content_type in _FILES.items():
            for path in sorted((pages[0].parent / kind).glob(f"*.{kind}")):
                with _said(path.name):
                    reader.upload_and_wait(
                        path, kind=kind, content_type=content_type, limit=_SECONDS
                    )
        with stack.connect() as connection:
            phrases = list(_phrases(connection, random.Random(19), count))
        _report(stack, user_id, phrases)


@contextlib.contextmanager
def _said(name: str) -> Iterator[None]:
    """Some files of the corpus are broken on purpose."""
    try:
        yield
    except (RuntimeError, TimeoutError) as error:
        print(f"{name}: {error}", flush=True)


def _phrases(connection: psycopg.Connection, chance: random.Random, count: int) -> Iterator[Phrase]:
    """From all items alike, and from anywhere in them."""
    rows = connection.execute(
        "SELECT media_id, canonical_text FROM fragments WHERE length > 200"
    ).fetchall()
    items: dict[UUID, list[str]] = {}
    for media_id, text in rows:
        items.setdefault(media_id, []).append(" ".join(text.split()))
    found = 0
    while found < count:
        phrase = _phrase(chance, chance.choice(items[chance.choice(list(items))]))
        if count_words(phrase) >= 4:
            found += 1
            right = {media_id for media_id, texts in items.items() if phrase in "\n".join(texts)}
            yield Phrase(phrase, right)


def _phrase(chance: random.Random, text: str) -> str:
    """Some words as they are in the text; a hyphen before one would exclude it."""
    start = chance.randrange(len(text))
    piece = text[start : start + 120]
    if _LONG_RUN.search(piece):
        return _CUT_WORDS.sub("", piece[: chance.randint(6, 14)]).strip()
    words = piece.split()[1:-1]
    phrase = " ".join(words[: chance.randint(4, 8)])
    return "" if _EXCLUDES.search(phrase) else phrase


def _report(stack: Stack, user_id: UUID, phrases: list[Phrase]) -> None:
    found: Counter[str] = Counter()
    connection = Connection(stack.api_socket)
    headers = stack.headers(user_id)
    with contextlib.closing(connection):
        for phrase in phrases:
            quoted = '"' + phrase.text.replace('"', " ") + '"'
            for form, query in (("as it is", phrase.text), ("quoted", quoted)):
                message = request("GET", f"/search?q={quote(query)}&limit=10", headers)
                results = data_of(connection.ask(message))["results"]
                places = [UUID(result["media"]["id"]) for result in results]
                if phrase.items & set(places[:_FIRST]):
                    found[form] += 1
                else:
                    print(f"{form}: {phrase.text!r}", flush=True)
    for form in ("as it is", "quoted"):
        print(f"{form}: {found[form]} of {len(phrases)} among the first {_FIRST}")


if __name__ == "__main__":
    main()

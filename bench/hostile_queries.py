"""Query strings that nobody types, and some that somebody will."""

import random
from collections.abc import Iterator
from urllib.parse import quote

_PIECES = (
    *"\"'\\-:*&|!()<>%_;,./?#[]{}@^`~$+= \t\n\x00\x01\x7f\u00a0\u200d\u202e\ufeff\ufffd\U0010ffff",
    "tag:", "in:", "in:title", "kind:", "kind:pdf", "is:unread", "-is:archived", "before:2024",
    "after:9999-99-99", "site:", "author:\"", "-tag:\"x y\"", ":*", "a:*", "<->", "<2>", "!!",
    "' | '", "\\'", "''", "--", "-\"", "a*", "ab*", "kal*", "\"a b", "NULL", "%00", "\ud83d\ude00",
    "👩‍👩‍👧", "🇩🇪", "e\u0301\u0301\u0301", "\u0301", "ﷺ", "שלום", "مرحبا", "中", "中文字", "ก็",
    "한국", "ﬁ", "İ", "ß", "Ⅷ", "½", "x" * 300, "lo " * 60, "kalo ren", "mi", "-ka", "\"ka lo\"",
    "1", "0" * 40,
)  # fmt: skip


def hostile_queries(chance: random.Random, count: int) -> Iterator[str]:
    """The same ones every time; some are longer than is allowed."""
    for number in range(count):
        if number % 50 == 49:
            yield "".join(chance.choices(_PIECES, k=2_000))[: chance.choice((999, 1_001, 10_000))]
        elif number % 5 == 4:
            yield "".join(chr(_code(chance)) for _ in range(chance.randint(1, 80)))
        else:
            pieces = chance.choices(_PIECES, k=chance.randint(1, 12))
            yield chance.choice(("", " ")).join(pieces)


def in_address(query: str) -> str:
    """The query as part of an address; half of a surrogate pair as a careless client sends it."""
    return quote(query.encode("utf-8", "surrogatepass"))


def _code(chance: random.Random) -> int:
    return chance.choice(
        (chance.randrange(0x100), chance.randrange(0x3000), chance.randrange(0x110000))
    )

"""Damaged files: what was readable is read, and only the error of importers is raised."""

import io
import random
from collections.abc import Callable

import pytest

from nexus.importers.formats import BY_NAME, detect
from nexus.importers.records import ImportedItem, InvalidFile
from tests.importers.samples import SAMPLES, address

ITEMS = 4
FILES = 1000
STRAY = b"\"'<>{}[],\n\0\xff\\=|"

Damage = Callable[[bytearray, int, random.Random], None]


def truncated(data: bytearray, at: int, chance: random.Random) -> None:
    del data[at:]


def flipped(data: bytearray, at: int, chance: random.Random) -> None:
    data[at] ^= 1 << chance.randrange(8)


def deleted(data: bytearray, at: int, chance: random.Random) -> None:
    del data[at : at + chance.randint(1, 20)]


def doubled(data: bytearray, at: int, chance: random.Random) -> None:
    data[at:at] = data[at : at + chance.randint(1, 200)]


def inserted(data: bytearray, at: int, chance: random.Random) -> None:
    data[at:at] = bytes(chance.choices(STRAY, k=chance.randint(1, 3)))


KINDS: tuple[Damage, ...] = (truncated, flipped, deleted, doubled, inserted)


def keys(items: list[ImportedItem]) -> set[str]:
    return {item.url or item.title or "" for item in items}


def key(sample: str, number: int) -> str:
    if sample in ("readwise", "kindle"):
        return f"Book {number + (sample == 'kindle')}"
    return address(number)


def whole_before(sample: str, data: bytes, at: int) -> set[str]:
    """The items that end before this place: the next one has begun there."""
    found = set()
    for number in range(ITEMS - 1):
        following = key(sample, number + 1).encode()
        place = max(data.find(following), data.find(following.replace(b"&", b"&amp;")))
        if 0 <= place <= at:
            found.add(key(sample, number))
    return found


def read_damaged(name: str, data: bytes) -> list[ImportedItem]:
    """What can be read, also if the file is no longer recognised."""
    found: list[ImportedItem] = []
    try:
        detect(io.BytesIO(data))
        for record in BY_NAME[name].read(io.BytesIO(data)):
            assert type(record).from_json(record.to_json()) == record
            if isinstance(record, ImportedItem):
                found.append(record)
    except InvalidFile:
        pass
    return found


@pytest.mark.parametrize("sample", SAMPLES)
def test_damaged_files(sample: str) -> None:
    name, make = SAMPLES[sample]
    data = make(ITEMS)
    in_order = not data.startswith(b"PK")
    for seed in range(FILES):
        chance = random.Random(seed)
        at = chance.randrange(len(data))
        damaged = bytearray(data)
        KINDS[seed % len(KINDS)](damaged, at, chance)
        items = read_damaged(name, bytes(damaged))
        if in_order:
            safe = whole_before(sample, data, at)
            assert keys(items) >= safe, f"seed {seed}"

"""Hundreds of random quotes of texts in several scripts: placed, and never wrongly."""

import random

import pytest
from bench.quotes import is_repeated, is_right, passages, quoted

from nexus.quotes import Document, find
from tests.quotes.texts import ALL

DOCUMENTS = [Document([text]) for text in ALL]
EACH = 40


@pytest.mark.parametrize(("damage", "least"), [(0.0, 0.995), (0.05, 0.98), (0.1, 0.95)])
@pytest.mark.parametrize("context", [True, False])
def test_damaged_quotes(damage: float, least: float, context: bool) -> None:
    right = total = 0
    for number, document in enumerate(DOCUMENTS):
        chance = random.Random(number)
        for taken in passages(document.fragments, EACH, chance):
            quote = quoted(taken, chance, damage=damage, context=context)
            match = find(document, quote)
            if match is None and is_repeated(document, taken):
                continue
            total += 1
            right += match is not None
            assert match is None or is_right(document, taken, match, damage=damage), (quote, match)
            for other in DOCUMENTS:
                assert other is document or find(other, quote) is None, quote
    assert right / total >= least


def test_the_same_every_time() -> None:
    chance = random.Random(7)
    for document in DOCUMENTS:
        for taken in passages(document.fragments, 5, chance):
            quote = quoted(taken, chance, damage=0.1, context=True)
            assert find(document, quote) == find(Document(list(document.fragments)), quote)

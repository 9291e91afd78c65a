"""Quotes from elsewhere: how many find their place, and how long that takes in a long document."""

import random
import time
from collections import Counter
from collections.abc import Iterator

from bench.canonical_texts import Text, canonical_texts
from bench.figures import Figure
from bench.quotes import Taken, damaged, is_repeated, is_right, is_there, passages, quoted
from bench.run import Run
from nexus.quotes import Document, Quote, find

# Share of changed characters: least share that is placed.
_TARGETS = {0.0: 99.5, 0.05: 98.0, 0.1: 95.0}
_LONG = 20_000_000
_SECONDS = 5.0


def measure(bench: Run) -> list[Figure]:
    """Every quote with its context and without, and each also in a document that is not its own."""
    bench.say("quotes: reading the documents")
    texts = canonical_texts()
    documents = [Document(text.fragments) for text in texts]
    counts: dict[tuple[float, bool], Counter[str]] = {
        (damage, context): Counter() for damage in _TARGETS for context in (True, False)
    }
    for number, (document, taken) in enumerate(_taken(texts, documents, bench)):
        for (damage, context), count in counts.items():
            chance = random.Random(f"{number} {damage} {context}")
            quote = quoted(taken, chance, damage=damage, context=context)
            count[_outcome(document, taken, quote, damage)] += 1
            count[_elsewhere(documents, taken, quote, chance)] += 1
    figures = [
        figure for (damage, context), count in counts.items()
        for figure in _figures(damage, context, count)
    ]  # fmt: skip
    return [*figures, *_in_a_long_document(texts, bench)]


def _taken(
    texts: list[Text], documents: list[Document], bench: Run
) -> Iterator[tuple[Document, Taken]]:
    each = bench.size(25, 4)
    for text, document in zip(texts, documents, strict=True):
        bench.say(f"quotes: {text.name}")
        for taken in passages(text.fragments, each, random.Random(text.name)):
            yield document, taken


def _outcome(document: Document, taken: Taken, quote: Quote, damage: float) -> str:
    match = find(document, quote)
    if match is not None:
        return "right" if is_right(document, taken, match, damage=damage) else "wrong"
    return "repeated" if is_repeated(document, taken) else "not placed"


def _elsewhere(documents: list[Document], taken: Taken, quote: Quote, chance: random.Random) -> str:
    """In a document that does not have the passage; long ones more often."""
    other = chance.choices(documents, [len(one.text) for one in documents])[0]
    if is_there(other, taken):
        return "not absent"
    return "absent" if find(other, quote) is None else "placed though absent"


def _figures(damage: float, context: bool, count: Counter[str]) -> list[Figure]:
    once = count["right"] + count["wrong"] + count["not placed"]
    what = f"{damage:.0%} changed, {'with' if context else 'without'} context"
    note = f"{once} quotes; {count['repeated']} more whose words are there twice stay unplaced"
    return [
        Figure(
            f"{what}: placed",
            100 * count["right"] / once,
            "%",
            at_least=_TARGETS[damage],
            note=note,
        ),
        Figure(f"{what}: placed wrongly", count["wrong"], "", at_most=0),
        Figure(
            f"{what}: placed where they are not",
            count["placed though absent"],
            "",
            at_most=0,
            note=f"{count['absent'] + count['placed though absent']} absent quotes",
        ),
    ]


def _in_a_long_document(texts: list[Text], bench: Run) -> list[Figure]:
    """Parts of all documents in another order, until it is long enough."""
    bench.say("quotes: a long document")
    chance = random.Random(1)
    words = " ".join(part for text in texts for part in text.fragments).split(" ")
    length = bench.size(_LONG, _LONG // 20)
    parts: list[str] = []
    while length > 0:
        first = chance.randrange(max(1, len(words) - 60))
        parts.append(" ".join(words[first : first + chance.randint(5, 60)]))
        length -= len(parts[-1]) + 1
    started = time.perf_counter()
    document = Document([" ".join(parts)])
    ready = time.perf_counter() - started
    seconds = []
    for taken in passages(document.fragments, bench.size(20, 5), chance):
        for text in (taken.text, damaged(taken.text, chance, 0.1), damaged(taken.text, chance, 1)):
            started = time.perf_counter()
            find(document, Quote(text, taken.before, taken.after))
            find(document, Quote(text))
            seconds.append((time.perf_counter() - started) / 2)
    size = f"{len(document.fragments[0]) / 1e6:.0f} million characters"
    return [
        Figure(f"a quote in {size}, slowest", max(seconds), "s", at_most=_SECONDS),
        Figure(f"making {size} ready, once", ready, "s"),
    ]

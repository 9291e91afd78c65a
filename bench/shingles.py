"""How alike two texts are: shared runs of four words, as public benchmarks count them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_WORDS_IN_A_RUN = 4


@dataclass(frozen=True)
class Likeness:
    """`precision` falls with unwanted text, `recall` with missing text."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def compare(wanted: str, found: str) -> Likeness:
    """One page."""
    want, have = _runs(wanted), _runs(found)
    shared = (want & have).total()
    return Likeness(
        precision=shared / have.total() if have else float(not want),
        recall=shared / want.total() if want else float(not have),
    )


def average(pages: Sequence[Likeness]) -> Likeness:
    """Every page counts the same, however long it is."""
    return Likeness(
        precision=sum(page.precision for page in pages) / len(pages),
        recall=sum(page.recall for page in pages) / len(pages),
    )


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text)
    count = max(1, len(words) - _WORDS_IN_A_RUN + 1) if words else 0
    return Counter(tuple(words[start : start + _WORDS_IN_A_RUN]) for start in range(count))

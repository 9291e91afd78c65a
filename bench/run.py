"""What a part is given: how large to be, and where to report progress."""

from dataclasses import dataclass, field

from bench.progress import Progress


@dataclass(frozen=True)
class Run:
    """`quick` runs are for developing a benchmark: small, and never kept as results."""

    quick: bool = False
    say: Progress = field(default_factory=Progress)

    def size(self, full: int, quick: int) -> int:
        return quick if self.quick else full

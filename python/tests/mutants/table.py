"""The mutants: one edit each, and the tests that must notice it."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("mutants.toml")
SOURCES = Path("python/nexus")
TESTS = Path("python/tests")


@dataclass(frozen=True, slots=True)
class Mutant:
    """An edit, below the root of a tree."""

    name: str
    file: Path
    old: str
    new: str
    tests: tuple[str, ...]

    def applied(self, root: Path) -> str:
        """The text of its file with the edit."""
        return (root / self.file).read_text().replace(self.old, self.new, 1)


def all_mutants() -> list[Mutant]:
    """The table, in its order."""
    return [
        Mutant(
            name=row["name"],
            file=SOURCES / row["file"],
            old=row["old"],
            new=row["new"],
            tests=tuple(str(TESTS / path) for path in row["tests"]),
        )
        for row in tomllib.loads(TABLE.read_text())["mutant"]
    ]


def problems(mutants: Sequence[Mutant], root: Path) -> Iterator[str]:
    """Why the mutants would prove nothing about this tree; a line for each reason."""
    for mutant in mutants:
        path = root / mutant.file
        found = path.read_text().count(mutant.old) if path.is_file() else 0
        if found != 1:
            yield f"{mutant.name}: its old text is {found} times in {mutant.file}, not once"
            continue
        try:
            compile(mutant.applied(root), str(path), "exec")
        except SyntaxError as error:
            yield f"{mutant.name}: {mutant.file} is no Python any more: {error.msg}"
        if mutant.old == mutant.new:
            yield f"{mutant.name}: it changes nothing"
        for test in mutant.tests:
            if not (root / test).exists():
                yield f"{mutant.name}: there is no {test}"

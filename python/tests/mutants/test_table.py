"""The mutants fit the code: a change that moves what one of them breaks moves the mutant, too."""

from dataclasses import replace
from pathlib import Path

from nexus.config import PROJECT_ROOT
from tests.mutants.table import SOURCES, Mutant, all_mutants, problems

# Packages without rules of their own: settings to run with, text to show.
_WITHOUT = {"cli", "samples"}


def test_every_mutant_is_one_edit_of_the_code() -> None:
    assert list(problems(all_mutants(), PROJECT_ROOT)) == []


def test_every_package_has_a_mutant() -> None:
    packages = {path.parent.name for path in (PROJECT_ROOT / SOURCES).glob("*/__init__.py")}
    broken = {mutant.file.relative_to(SOURCES).parts[0] for mutant in all_mutants()}

    assert packages - _WITHOUT == broken
    assert len(all_mutants()) >= 30


def test_a_mutant_that_proves_nothing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("limit = 1\nlimit = 1\nmost = 2\n")
    sound = Mutant("one", Path("code.py"), "most = 2", "most = 3", ("code.py",))

    assert list(problems([sound], tmp_path)) == []
    for bad in (
        replace(sound, old="limit = 1"),
        replace(sound, old="least = 1"),
        replace(sound, file=Path("gone.py")),
        replace(sound, new="most = = 3"),
        replace(sound, new="most = 2"),
        replace(sound, tests=("gone.py",)),
    ):
        assert len(list(problems([bad], tmp_path))) == 1

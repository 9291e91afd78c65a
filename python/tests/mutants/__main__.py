"""`make mutants`: whether the tests notice mistakes that are made on purpose.

Each mutant is an edit in a copy of the tree, after which the tests named beside it must fail. They
must pass without it, or their failing would prove nothing.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn

from nexus.config import PROJECT_ROOT
from tests.mutants.table import Mutant, all_mutants, problems

# Of the whole table; of a part that is run by name, all must be killed.
MOST_SURVIVORS = 3
_SHARED = {".venv", "node_modules"}
_LEFT_OUT = {".git", ".nexus", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
_PASSED, _FAILED = 0, 1
_VERDICTS = ("FAILED ", "ERROR ")
_AT_ONCE = 2


class CannotTell(Exception):
    """The tests say nothing about a mutant; the message says why."""


class _Runs:
    """The runs of pytest that are under way, to be ended with ours."""

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[str]] = set()
        self._ended = False

    def pytest(self, root: Path, *arguments: str) -> tuple[int, str]:
        """Exit status and output of the tests of a tree."""
        # Processes that tests start would take the installed package, which is the one in work.
        path = os.pathsep.join([str(root / "python"), str(root)])
        # Python tells sources apart by second and size: a mutant may have both of another.
        environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-m", "not heavy", *arguments],
            cwd=root,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a Ctrl-C in the terminal is for us alone
        ) as process:
            self._processes.add(process)
            if self._ended:
                process.send_signal(signal.SIGINT)
            output, _ = process.communicate()
            self._processes.discard(process)
        if self._ended:
            raise KeyboardInterrupt
        return process.returncode, output

    def end(self) -> None:
        """Interrupt them: they stop their servers and remove their folders."""
        self._ended = True
        for process in list(self._processes):
            process.send_signal(signal.SIGINT)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("--only", default="", help="run those with this in their name or file")
    only = parser.parse_args().only
    # A run that is ended removes its copy all the same.
    signal.signal(signal.SIGTERM, _end)
    every = all_mutants()
    try:
        if found := list(problems(every, PROJECT_ROOT)):
            raise CannotTell("\n".join(found))
        return _run([each for each in every if only in f"{each.name} {each.file}"], len(every))
    except CannotTell as error:
        _say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def _run(mutants: Sequence[Mutant], of: int) -> int:
    if not mutants:
        raise CannotTell("There is no such mutant.")
    sets: defaultdict[tuple[str, ...], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        sets[mutant.tests].append(mutant)
    with ExitStack() as stack:
        trees: SimpleQueue[Path] = SimpleQueue()
        for _ in range(_AT_ONCE):
            trees.put(stack.enter_context(_copy_of_the_tree()))
        runs = _Runs()
        pool = stack.enter_context(ThreadPoolExecutor(_AT_ONCE))
        try:
            killed = list(pool.map(lambda each: _killed(runs, trees, each), sets.values()))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            runs.end()
            raise
    _say(f"{sum(filter(None, killed))} of {len(mutants)} killed")
    allowed = MOST_SURVIVORS if len(mutants) == of else 0
    return 1 if None in killed or len(mutants) - sum(filter(None, killed)) > allowed else 0


def _killed(runs: _Runs, trees: SimpleQueue[Path], mutants: Sequence[Mutant]) -> int | None:
    """Number of mutants killed by the tests they share; None if it cannot be told."""
    root = trees.get()
    try:
        tests = mutants[0].tests
        code, output = runs.pytest(root, *tests)
        if code != _PASSED:
            raise CannotTell(f"{output}\nWithout a mutant these must pass: {' '.join(tests)}")
        return sum(_is_killed(runs, root, mutant) for mutant in mutants)
    except CannotTell as error:
        _say(str(error))
        return None
    finally:
        trees.put(root)


def _is_killed(runs: _Runs, root: Path, mutant: Mutant) -> bool:
    began, path = time.monotonic(), root / mutant.file
    sound = path.read_text()
    path.write_text(mutant.applied(root))
    try:
        code, output = runs.pytest(root, "-x", *mutant.tests)
    finally:
        path.write_text(sound)
    if code not in (_PASSED, _FAILED):
        raise CannotTell(f"{output}\n{mutant.name}: its tests could not be run.")
    seconds = f"{time.monotonic() - began:3.0f} s"
    if code == _PASSED:
        _say(f"SURVIVED  {seconds}  {mutant.name} ({mutant.file})")
        return False
    failed = next(line for line in output.splitlines() if line.startswith(_VERDICTS))
    _say(f"killed    {seconds}  {mutant.name}: {failed.partition(' - ')[0].partition(' ')[2]}")
    return True


@contextmanager
def _copy_of_the_tree() -> Iterator[Path]:
    """A tree to break, which shares what is installed with this one."""
    with tempfile.TemporaryDirectory(prefix="nexus-mutants-") as folder:
        root = Path(folder) / "nexus"
        shutil.copytree(PROJECT_ROOT, root, symlinks=True, ignore=_not_copied)
        for path in _installed(PROJECT_ROOT):
            (root / path.relative_to(PROJECT_ROOT)).symlink_to(path)
        yield root


def _not_copied(_folder: str, names: list[str]) -> set[str]:
    return set(names) & (_SHARED | _LEFT_OUT)


def _installed(root: Path) -> Iterator[Path]:
    for folder, names, _ in os.walk(root):
        yield from (Path(folder) / name for name in names if name in _SHARED)
        names[:] = [name for name in names if name not in _SHARED | _LEFT_OUT]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _end(*_: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())

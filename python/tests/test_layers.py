"""Imports go downward only, through the layers that `docs/architecture.md` draws."""

import ast
import re
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.browser import REPOSITORY
from tests.imports import PACKAGE, import_graph, module_imports, part_of

ARCHITECTURE = (REPOSITORY / "docs" / "architecture.md").read_text()


def layers() -> list[list[str]]:
    """The drawn layers from the top, each a row of parts."""
    drawn = re.search(r"```layers\n(.+?)```", ARCHITECTURE, re.S)
    assert drawn is not None
    return [line.partition("#")[0].split() for line in drawn[1].splitlines() if line.strip()]


def upward(graph: dict[str, set[str]], rows: list[list[str]]) -> list[str]:
    """Every import of a part that is not on a lower layer."""
    depth = {part: level for level, row in enumerate(rows) for part in row}
    # Single modules that are drawn on no layer are below all of them.
    below_all = len(rows)
    return sorted(
        f"{importer} imports {imported}"
        for importer, found in graph.items()
        for imported in found
        if (upper := part_of(importer)) != (lower := part_of(imported))
        and depth.get(lower, below_all) <= depth.get(upper, below_all)
        and not (upper not in depth and lower not in depth)
    )


def test_imports_go_downward() -> None:
    assert upward(import_graph(), layers()) == []


def test_no_modules_import_each_other() -> None:
    try:
        TopologicalSorter(import_graph()).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_every_package_is_drawn() -> None:
    packages = {file.parent.name for file in PACKAGE.glob("*/__init__.py")}
    drawn = [part for row in layers() for part in row]
    assert sorted(drawn) == sorted({*drawn}), "drawn twice"
    assert packages <= {*drawn}


GRAPHS = {
    "services know a route": {"nexus.services.media": {"nexus.api.deps"}},
    "a neighbour": {"nexus.bff.app": {"nexus.api.deps"}},
    "a single module knows a package": {"nexus.errors": {"nexus.db.session"}},
}


@pytest.mark.parametrize("name", GRAPHS)
def test_an_upward_import_is_found(name: str) -> None:
    assert upward(GRAPHS[name], layers())


def test_imports_inside_functions_count() -> None:
    modules = frozenset({"nexus.tasks", "nexus.tasks.ingest"})
    source = "def send():\n    from nexus.tasks import ingest, sweep\n"
    assert module_imports(ast.parse(source), modules) == modules

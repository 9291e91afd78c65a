"""Who imports whom in `nexus`, read from the source."""

import ast
from pathlib import Path

import nexus

PACKAGE = Path(nexus.__file__).parent


def module_imports(tree: ast.AST, modules: frozenset[str]) -> set[str]:
    """The modules of ours that a module imports, wherever in it that is written."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            inner = names & modules
            found |= inner
            if inner != names:
                found.add(node.module)
    return found & modules


def import_graph() -> dict[str, set[str]]:
    """Each module of ours with those it imports."""
    files = {_name(file): file for file in PACKAGE.rglob("*.py")}
    modules = frozenset(files)
    return {
        module: module_imports(ast.parse(file.read_text()), modules) - {module}
        for module, file in files.items()
    }


def part_of(module: str) -> str:
    """The package or single module right below `nexus` that a module belongs to."""
    return module.split(".")[1] if "." in module else module


def _name(file: Path) -> str:
    parts = ["nexus", *file.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

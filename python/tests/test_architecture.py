"""Rules of the house that no linter knows, each with a line that would break it."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import nexus

PACKAGE = Path(nexus.__file__).parent
Finder = Callable[[ast.AST], bool]

HTTP_CLIENTS = {"aiohttp", "http.client", "httpcore", "requests", "urllib.request", "urllib3"}
# What of httpx sends something; the rest are errors, addresses and what came of a request.
SENDING = {
    *("AsyncClient", "AsyncHTTPTransport", "Client", "HTTPTransport"),
    *("delete", "get", "head", "options", "patch", "post", "put", "request", "stream"),
}


def imported_modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def imports(*modules: str) -> Finder:
    """An import of one of these, or of something inside them."""
    prefixes = tuple(f"{module}." for module in modules)
    return lambda node: any(
        name in modules or name.startswith(prefixes) for name in imported_modules(node)
    )


def attribute(*names: str) -> Finder:
    return lambda node: isinstance(node, ast.Attribute) and node.attr in names


def sends_with_httpx(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] == "httpx"
    function = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "httpx"
        and function.attr in SENDING
    )


def use_of_session(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "session"
    )


def writes(column: str) -> Finder:
    """An assignment to this attribute, or its value for a new row or an UPDATE."""

    def found(node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == column and isinstance(node.ctx, ast.Store)
        if not isinstance(node, ast.Call) or column not in {word.arg for word in node.keywords}:
            return False
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        return name in {"values", "Media"}

    return found


def calls(name: str) -> Finder:
    return lambda node: (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    )


def session_not_first(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    names = [argument.arg for argument in arguments if argument.arg not in {"self", "cls"}]
    return "session" in names and names[0] != "session"


@dataclass(frozen=True)
class Rule:
    """`found` is forbidden under `where`, but for the files in `allowed`."""

    name: str
    found: Finder
    breaks_it: str
    where: str = ""
    allowed: tuple[str, ...] = ()


RULES = [
    Rule(
        "only the request's and the task's session end a transaction",
        attribute("commit", "begin"),
        "session.commit()",
        allowed=(
            "http/session.py",
            "db/task_session.py",
            "db/lean_sessions.py",
            "db/migrate.py",
            # Here it is a file that is committed.
            "http/stored_bytes.py",
            "storage/",
        ),
    ),
    Rule(
        "routes make no queries",
        use_of_session,
        "session.scalars(query)",
        where="api/routes",
    ),
    Rule(
        "routes know neither SQL nor tables",
        imports("sqlalchemy", "nexus.db.models", "nexus.db.session"),
        "from sqlalchemy import select",
        where="api/routes",
    ),
    Rule(
        "services know nothing of HTTP",
        imports("fastapi", "starlette", "nexus.api", "nexus.http"),
        "from fastapi import HTTPException",
        where="services",
    ),
    Rule(
        "the session comes first",
        session_not_first,
        "def find(name: str, session: Session) -> None: ...",
        where="services",
    ),
    Rule(
        "only the lifecycle changes a state",
        writes("processing_status"),
        "media.processing_status = ProcessingStatus.PENDING",
        allowed=("services/media_lifecycle.py",),
    ),
    Rule(
        "only the command line prints",
        calls("print"),
        "print('x')",
        allowed=("cli/",),
    ),
    Rule(
        "there is one guarded client",
        imports(*HTTP_CLIENTS),
        "from urllib.request import urlopen",
        # The supervisor asks only its own programs.
        allowed=("outbound/", "supervisor/"),
    ),
    Rule(
        "httpx sends only within limits",
        sends_with_httpx,
        "httpx.get(url)",
        # The BFF and the command line ask only the API.
        allowed=("outbound/", "bff/lanes.py", "bff/proxy.py", "cli/nexus_api.py"),
    ),
    Rule(
        "httpx is for those who go out",
        imports("httpx"),
        "import httpx",
        allowed=(
            "auth/jwks.py",
            "bff/lanes.py",
            "bff/proxy.py",
            "cli/nexus_api.py",
            "outbound/",
            "egress/http.py",
            "extractors/download.py",
            "images/fetch.py",
            "storage/supabase_api.py",
        ),
    ),
    Rule(
        "no image is decoded",
        imports("PIL"),
        "from PIL import Image",
    ),
]


def violations(rule: Rule, tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if rule.found(node):
            yield getattr(node, "lineno", 0)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_is_kept(rule: Rule) -> None:
    broken = []
    files = sorted((PACKAGE / rule.where).rglob("*.py"))
    assert files
    for file in files:
        path = file.relative_to(PACKAGE).as_posix()
        if not path.startswith(rule.allowed or ("\0",)):
            lines = violations(rule, ast.parse(file.read_text()))
            broken += [f"nexus/{path}:{line}" for line in lines]
    assert broken == [], rule.name


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_finds_what_breaks_it(rule: Rule) -> None:
    assert list(violations(rule, ast.parse(rule.breaks_it)))

"""The `nexus` command line."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from nexus.version import VERSION

_COMMANDS = (
    "up",
    "doctor",
    "add",
    "import",
    "search",
    "media",
    "user",
    "export",
    "backup",
    "restore",
    "migrate",
)


_MODULES = {"import": "imports"}


class _LazyGroup(TyperGroup):
    """Imports a command only when it is used: `up` must not wait for all the others."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        # A module cannot be called "import".
        module = import_module(f"nexus.cli.{_MODULES.get(cmd_name, cmd_name)}")
        if hasattr(module, "app"):
            return get_command(module.app)
        single = typer.Typer(add_completion=False)
        single.command(cmd_name)(getattr(module, cmd_name))
        return get_command(single)


app = typer.Typer(
    name="nexus",
    cls=_LazyGroup,
    help="Save what you read, highlight it, keep the notes beside the text.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"Nexus {VERSION}")
        raise typer.Exit


@app.callback()
def _nexus(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Save what you read, highlight it, keep the notes beside the text."""


if __name__ == "__main__":
    app()

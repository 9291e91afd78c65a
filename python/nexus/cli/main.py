"""The `nexus` command line."""

import typer

from nexus.cli.doctor import doctor
from nexus.cli.up import up

app = typer.Typer(
    name="nexus",
    help="Save what you read, highlight it, keep the notes beside the text.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(up)
app.command()(doctor)

if __name__ == "__main__":
    app()

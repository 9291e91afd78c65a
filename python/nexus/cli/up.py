"""`nexus up`."""

import typer

from nexus.cli.common import own_settings_or_exit, say
from nexus.supervisor.up import up as run_until_stopped


def up() -> None:
    """Run everything on this machine, in the foreground, until Ctrl-C."""
    raise typer.Exit(run_until_stopped(own_settings_or_exit(), say=say))

"""What the commands share."""

import contextlib

import typer

from nexus.config import Settings, SettingsError, load_settings


def settings_or_exit() -> Settings:
    """The settings of the environment; one line and exit code 2 when they are not valid."""
    try:
        return load_settings()
    except SettingsError as error:
        typer.echo(f"Invalid setting: {error}", err=True)
        raise typer.Exit(2) from None


def say(line: str) -> None:
    """Tell the person one line, now. A reader that has gone away must not stop Nexus."""
    with contextlib.suppress(BrokenPipeError):
        print(line, flush=True)

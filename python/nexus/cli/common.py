"""What the commands share."""

import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

import typer

from nexus.config import Settings, SettingsError, load_settings
from nexus.supervisor.console import say
from nexus.supervisor.environment import use_settings_of_running_nexus
from nexus.supervisor.layout import Layout

__all__ = ["incomplete", "own_settings_or_exit", "progress", "say", "settings_or_exit"]

_MOST_NAMED = 20


def settings_or_exit() -> Settings:
    """The settings of the Nexus running on the data directory, or else of the environment.

    One line and exit code 2 if they are not valid.
    """
    settings = own_settings_or_exit()
    if use_settings_of_running_nexus(Layout(settings.data_dir)):
        return own_settings_or_exit()
    return settings


def own_settings_or_exit() -> Settings:
    """The settings of the environment; one line and exit code 2 if they are not valid."""
    try:
        return load_settings()
    except SettingsError as error:
        typer.echo(f"Invalid setting: {error}", err=True)
        raise typer.Exit(2) from None


def progress(line: str) -> None:
    """Show progress on a terminal; a log or a pipe gets only the outcome."""
    if sys.stdout.isatty():
        say(line)


def incomplete(why: str, missing: Sequence[str], lines: Iterable[str]) -> NoReturn:
    """Say that an archive is incomplete, then what is missing and the rest; exit code 1."""
    shown = [f"  {name}" for name in missing[:_MOST_NAMED]]
    if len(missing) > _MOST_NAMED:
        shown.append(f"  and {len(missing) - _MOST_NAMED} more")
    for line in (f"The archive is incomplete: {why}", *shown, *lines):
        typer.echo(line, err=True)
    raise typer.Exit(1)

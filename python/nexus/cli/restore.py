"""`nexus restore FILE`."""

from pathlib import Path
from typing import Annotated

import typer

from nexus.cli.common import incomplete, own_settings_or_exit, progress, say
from nexus.cli.failing import archive_errors


def restore(
    file: Annotated[Path, typer.Argument(help="An archive that `nexus backup` wrote")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace the whole existing installation")
    ] = False,
    from_elsewhere: Annotated[
        bool,
        typer.Option(
            "--from-elsewhere",
            help="Restore an archive that this installation did not make, if you trust its origin",
        ),
    ] = False,
) -> None:
    """Restore an archive into an empty data directory, while Nexus is stopped."""
    # Imported here, because other commands should not wait for it.
    from nexus.backup.restore import restore_backup

    with archive_errors():
        manifest = restore_backup(
            own_settings_or_exit(),
            file,
            force=force,
            from_elsewhere=from_elsewhere,
            warn=lambda line: typer.echo(line, err=True),
            say=progress,
        )
    people, items = manifest.rows.get("users", 0), manifest.rows.get("media", 0)
    when = manifest.created_at.strftime("%Y-%m-%d %H:%M UTC")
    restored = f"Restored the backup of {when}: {people} people, {items} items."
    lines = (f"{restored} Start Nexus: make up",)
    if manifest.missing_files:
        why = f"it was made without {len(manifest.missing_files)} of the uploaded files:"
        incomplete(why, manifest.missing_files, lines)
    say(lines[0])

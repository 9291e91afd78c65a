"""`nexus backup FILE`."""

from pathlib import Path
from typing import Annotated

import typer

from nexus.cli.common import incomplete, progress, say, settings_or_exit
from nexus.cli.failing import archive_errors


def backup(
    file: Annotated[Path, typer.Argument(help="The archive to write, for example nexus.tar")],
) -> None:
    """Write everything into one archive, whether Nexus is running or not."""
    # Imported here, because other commands should not wait for it.
    from nexus.backup.archive import SECRETS
    from nexus.backup.create import create_backup
    from nexus.backup.key import key_path

    settings = settings_or_exit()
    with archive_errors(otherwise="No archive was written."):
        manifest = create_backup(settings, file, say=progress)
    size = file.stat().st_size
    people, items = manifest.rows.get("users", 0), manifest.rows.get("media", 0)
    secrets = " and this installation's secrets" if SECRETS in manifest.entries else ""
    lines = (
        f"Wrote {file}: {people} people, {items} items, {size / 1_000_000:.1f} MB.",
        f"It contains everyone's notes{secrets}: keep it private.",
        f"To restore it elsewhere, keep a copy of {key_path(settings.data_dir)} in another place.",
    )
    if manifest.missing_files:
        count = len(manifest.missing_files)
        total = count + len(manifest.stored_files())
        missing = [f"{path}: {why}" for path, why in manifest.missing_because.items()]
        incomplete(f"{count} of {total} uploaded files could not be read:", missing, lines)
    for line in lines:
        say(line)

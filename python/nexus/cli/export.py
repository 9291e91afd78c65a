"""`nexus export FILE`."""

from pathlib import Path
from typing import Annotated

import typer

from nexus.cli.common import incomplete, progress, say
from nexus.cli.failing import archive_errors
from nexus.cli.operator import account_viewer, operator_session, use_running_nexus


def export(
    file: Annotated[Path, typer.Argument(help="The zip to write, for example notes.zip")],
    user: Annotated[
        str | None, typer.Option(help="E-mail of the account; needed if there are several.")
    ] = None,
) -> None:
    """Write one person's articles, highlights and notes as Markdown and JSON."""
    # Imported here, because other commands should not wait for it.
    from nexus.export.archive import write_export
    from nexus.storage import get_storage_client

    settings = use_running_nexus()
    with archive_errors(otherwise="No archive was written."), operator_session() as session:
        # Everything as it is at one moment, however long writing takes.
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        viewer = account_viewer(session, user)
        done = write_export(session, viewer, get_storage_client(settings), file, say=progress)
    wrote = f"Wrote {file}: {done.items} items, {done.highlights} highlights."
    if done.missing_files:
        why = f"{len(done.missing_files)} of the uploaded files could not be read:"
        incomplete(why, done.missing_files, [wrote])
    say(wrote)

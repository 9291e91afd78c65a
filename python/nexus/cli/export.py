"""`nexus export FILE`."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from nexus.cli.common import incomplete, progress, say
from nexus.cli.failing import archive_errors
from nexus.cli.operator import account_viewer, operator_session, use_running_nexus
from nexus.schemas.exports import ExportFormat


def export(
    file: Annotated[Path, typer.Argument(help="The file to write, for example notes.zip")],
    format: Annotated[
        ExportFormat, typer.Option(help="What to write; docs/formats.md describes each.")
    ] = ExportFormat.MARKDOWN,
    template: Annotated[
        Path | None, typer.Option(help="A Jinja template for the pages of Markdown.")
    ] = None,
    media: Annotated[
        list[UUID] | None, typer.Option(help="Only this item; may be repeated.")
    ] = None,
    user: Annotated[
        str | None, typer.Option(help="E-mail of the account; needed if there are several.")
    ] = None,
) -> None:
    """Write one person's items, highlights and notes into a file: Markdown, or another format."""
    # Imported here, because other commands should not wait for it.
    from nexus.atomic_file import new_file
    from nexus.export.run import start_export
    from nexus.storage import get_storage_client

    settings = use_running_nexus()
    with operator_session() as session:
        viewer = account_viewer(session, user)
    # The snapshot is a transaction of its own.
    with archive_errors(otherwise="No archive was written."), operator_session() as session:
        writing = start_export(
            session,
            viewer,
            get_storage_client(settings),
            format=format,
            media_ids=media or None,
            template=template.read_text(encoding="utf-8") if template else None,
            say=progress,
        )
        try:
            with new_file(file) as target:
                for chunk in writing.chunks:
                    target.write(chunk)
        finally:
            writing.close()
        done = writing.job
    wrote = f"Wrote {file}: {done.items_written} items, {done.highlights_written} highlights."
    if done.missing_files:
        why = f"{len(done.missing_files)} of the uploaded files could not be read:"
        incomplete(why, done.missing_files, [wrote])
    say(wrote)

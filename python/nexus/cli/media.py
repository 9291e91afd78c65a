"""`nexus media`: saved items, for the person who runs this server."""

from typing import Annotated
from uuid import UUID

import typer

from nexus.cli.operator import operator_session
from nexus.db.enums import ProcessingStatus
from nexus.services import media_retry
from nexus.services.media_lifecycle import MAX_ATTEMPTS
from nexus.services.media_read import operator_list, operator_view

app = typer.Typer(name="media", help="Saved items.", no_args_is_help=True, add_completion=False)


@app.command("list")
def list_media(
    status: Annotated[
        ProcessingStatus | None, typer.Option(help="Only items in this state.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 50,
) -> None:
    """List items of all accounts, the newest first."""
    with operator_session() as session:
        items = operator_list(session, status=status, limit=limit)
        for media in items:
            reason = f"  {media.last_error_code}" if media.last_error_code else ""
            typer.echo(
                f"{media.id}  {media.created_at:%Y-%m-%d %H:%M}  {media.kind:<11}  "
                f"{media.processing_status:<17}  {media.title[:60]}{reason}"
            )
    if not items:
        typer.echo("No items found.")


@app.command()
def show(media_id: UUID) -> None:
    """Show everything about one item."""
    with operator_session() as session:
        for name, value in operator_view(session, media_id=media_id).items():
            typer.echo(f"{name:<24} {'' if value is None else value}")


@app.command()
def retry(
    media_id: UUID,
    force: Annotated[
        bool, typer.Option("--force", help=f"Also after {MAX_ATTEMPTS} attempts.")
    ] = False,
) -> None:
    """Try a failed item again."""
    with operator_session() as session:
        result = media_retry.operator_retry(session, media_id=media_id, force=force)
    typer.echo(
        "Enqueued."
        if result.enqueued.done
        else "Reset, but not enqueued yet. Nexus will enqueue it as soon as it can."
    )

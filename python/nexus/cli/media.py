"""`nexus media`: saved items, for the person who runs this server."""

from typing import Annotated
from uuid import UUID

import typer

from nexus.cli.operator import account_viewer, operator_session
from nexus.db.enums import MediaKind, ProcessingStatus, ReadingState
from nexus.schemas.shelf import MediaSort
from nexus.services import media_list, media_retry
from nexus.services.media_filter import MediaFilter
from nexus.services.media_lifecycle import MAX_ATTEMPTS
from nexus.services.media_read import operator_list, operator_view

app = typer.Typer(name="media", help="Saved items.", no_args_is_help=True, add_completion=False)


@app.command("list")
def list_media(
    status: Annotated[
        ProcessingStatus | None, typer.Option(help="Only items in this state.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 50,
    user: Annotated[str | None, typer.Option(help="Only what this account can read.")] = None,
    sort: Annotated[MediaSort | None, typer.Option(help="The order of the list.")] = None,
    kind: Annotated[MediaKind | None, typer.Option(help="Only items of this kind.")] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="Only items with this tag; may be repeated.")
    ] = None,
    state: Annotated[ReadingState | None, typer.Option(help="Only what is read so far.")] = None,
    archived: Annotated[bool | None, typer.Option(help="Only what is archived, or not.")] = None,
    favourite: Annotated[bool | None, typer.Option(help="Only favourites, or no such.")] = None,
) -> None:
    """List items of all accounts, the newest first; with any option of a reader, of one account.

    The account is the only one there is, unless --user names one.
    """
    only = MediaFilter(
        kind=kind,
        status=status,
        state=state,
        archived=archived,
        favourite=favourite,
        tags=tuple(tag or ()),
    )
    if user is None and sort is None and only == MediaFilter(status=status):
        _list_all(status, limit)
    else:
        _list_of(user, sort or MediaSort.NEWEST, only, limit)


def _list_of(user: str | None, sort: MediaSort, only: MediaFilter, limit: int) -> None:
    with operator_session() as session:
        viewer = account_viewer(session, user)
        items = media_list.list_media(
            session, viewer, cursor=None, limit=limit, sort=sort, only=only
        )["media"]
        for media in items:
            shown = ("archived", "favourite")
            marks = [media.state, *(name for name in shown if getattr(media, name))]
            tags = f"  [{', '.join(media.tags)}]" if media.tags else ""
            typer.echo(
                f"{media.id}  {media.saved_at:%Y-%m-%d %H:%M}  {media.kind:<11}  "
                f"{' '.join(marks):<17}  {media.title[:60]}{tags}"
            )
    if not items:
        typer.echo("No items found.")


def _list_all(status: ProcessingStatus | None, limit: int) -> None:
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

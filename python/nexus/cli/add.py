"""`nexus add`: save a web page from the command line."""

from typing import Annotated
from uuid import UUID

import typer

from nexus.cli.operator import account_viewer, fail, operator_session
from nexus.db.enums import ProcessingStatus
from nexus.schemas.media import MediaOut
from nexus.services.media import enqueue_web_article_from_url
from nexus.services.media_read import get_media, list_fragments
from nexus.services.viewer import Viewer
from nexus.waiting import comes_true

_POLL_SECONDS = 0.2
_WAIT_SECONDS = 180.0
_UNFINISHED = {ProcessingStatus.PENDING, ProcessingStatus.EXTRACTING}


def add(
    url: Annotated[str, typer.Argument(help="The address of the page.")],
    wait: Annotated[bool, typer.Option("--wait", help="Wait until it can be read.")] = False,
    user: Annotated[str | None, typer.Option(help="E-mail of the account to save it for.")] = None,
) -> None:
    """Save a web page."""
    with operator_session() as session:
        viewer = account_viewer(session, user)
        result = enqueue_web_article_from_url(session, viewer, url, None)
    typer.echo(f"{result.media_id}  {result.processing_status}")
    if wait:
        _report(viewer, _wait(viewer, result.media_id))


def _wait(viewer: Viewer, media_id: UUID) -> MediaOut:
    """Print each new state until the last one."""
    shown = [ProcessingStatus.PENDING]

    def finished() -> bool:
        media = _look(viewer, media_id)
        if media.processing_status is not shown[-1]:
            shown.append(media.processing_status)
            merged = "  (saved before)" if media.duplicate else ""
            typer.echo(f"{media.id}  {media.processing_status}{merged}")
        return media.processing_status not in _UNFINISHED

    if not comes_true(finished, within=_WAIT_SECONDS, every=_POLL_SECONDS):
        fail("It is still not done. Is the worker running? `nexus doctor` tells.")
    return _look(viewer, media_id)


def _look(viewer: Viewer, media_id: UUID) -> MediaOut:
    with operator_session() as session:
        return get_media(session, viewer, media_id=media_id)


def _report(viewer: Viewer, media: MediaOut) -> None:
    if media.processing_status is ProcessingStatus.FAILED:
        fail(f"{media.last_error_code}: {media.last_error_message}")
    with operator_session() as session:
        fragments = list_fragments(session, viewer, media_id=media.id).fragments
    words = sum(len(fragment.canonical_text.split()) for fragment in fragments)
    typer.echo(f"{media.title} ({words:,} words)")

"""`nexus add`: save a web page from the command line."""

from typing import Annotated, Any

import typer

from nexus.cli.nexus_api import NexusApi, api_for
from nexus.cli.operator import fail
from nexus.waiting import wait_until

_POLL_SECONDS = 0.2
_WAIT_SECONDS = 180.0
_UNFINISHED = {"pending", "extracting"}


def add(
    url: Annotated[str, typer.Argument(help="The address of the page.")],
    wait: Annotated[bool, typer.Option("--wait", help="Wait until it can be read.")] = False,
    user: Annotated[str | None, typer.Option(help="E-mail of the account to save it for.")] = None,
) -> None:
    """Save a web page."""
    with api_for(user) as api:
        saved = api.post("/media/url", {"kind": "web_article", "url": url})
        media = api.get(f"/media/{saved['media_id']}")
        known = "" if saved["created"] else "  (already in your library)"
        typer.echo(f"{media['id']}  {media['processing_status']}{known}")
        if wait:
            _report(api, _wait(api, media))


def _wait(api: NexusApi, media: dict[str, Any]) -> dict[str, Any]:
    """Print each new state until the item is done."""
    media_id, shown = media["id"], [media["processing_status"]]

    def finished() -> bool:
        media.update(api.get(f"/media/{media_id}"))
        if media["processing_status"] != shown[-1]:
            shown.append(media["processing_status"])
            typer.echo(f"{media['id']}  {shown[-1]}")
        return shown[-1] not in _UNFINISHED

    if not wait_until(finished, within=_WAIT_SECONDS, every=_POLL_SECONDS):
        fail("It is still not done. Is the worker running? Check with `nexus doctor`.")
    return media


def _report(api: NexusApi, media: dict[str, Any]) -> None:
    if media["processing_status"] == "failed":
        fail(f"{media['last_error_code']}: {media['last_error_message']}")
    fragments = api.get(f"/media/{media['id']}/fragments")["fragments"]
    words = sum(len(fragment["canonical_text"].split()) for fragment in fragments)
    typer.echo(f"{media['title']} ({words:,} words)")

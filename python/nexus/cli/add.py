"""`nexus add`: save a web page from the command line."""

from typing import Annotated, Any

import typer

from nexus.cli.nexus_api import NexusApi, api_for
from nexus.cli.operator import fail
from nexus.waiting import comes_true

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
        saved = api.post("/media/from_url", {"url": url})
        typer.echo(f"{saved['media_id']}  {saved['processing_status']}")
        if wait:
            _report(api, _wait(api, saved["media_id"]))


def _wait(api: NexusApi, media_id: str) -> dict[str, Any]:
    """Print each new state until the last one."""
    shown = ["pending"]
    media: dict[str, Any] = {}

    def finished() -> bool:
        media.update(api.get(f"/media/{media_id}"))
        if media["processing_status"] != shown[-1]:
            shown.append(media["processing_status"])
            merged = "  (saved before)" if media["duplicate"] else ""
            typer.echo(f"{media['id']}  {shown[-1]}{merged}")
        return shown[-1] not in _UNFINISHED

    if not comes_true(finished, within=_WAIT_SECONDS, every=_POLL_SECONDS):
        fail("It is still not done. Is the worker running? `nexus doctor` tells.")
    return media


def _report(api: NexusApi, media: dict[str, Any]) -> None:
    if media["processing_status"] == "failed":
        fail(f"{media['last_error_code']}: {media['last_error_message']}")
    fragments = api.get(f"/media/{media['id']}/fragments")["fragments"]
    words = sum(len(fragment["canonical_text"].split()) for fragment in fragments)
    typer.echo(f"{media['title']} ({words:,} words)")

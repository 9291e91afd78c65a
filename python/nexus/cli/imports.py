"""`nexus import FILE`: bring bookmarks, articles and highlights from elsewhere."""

from pathlib import Path
from typing import Annotated, Any

import typer

from nexus.cli.common import progress, say
from nexus.cli.nexus_api import NexusApi, api_for
from nexus.cli.operator import fail
from nexus.waiting import wait_until

_POLL_SECONDS = 0.5
_WAIT_SECONDS = 24 * 3600.0

app = typer.Typer(add_completion=False)


@app.command("import")
def import_file(
    file: Annotated[Path, typer.Argument(help="What another program exported.")],
    library: Annotated[
        str | None, typer.Option(help="Put everything into this library, too.")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="Put this tag on everything; can be repeated.")
    ] = None,
    user: Annotated[
        str | None, typer.Option(help="E-mail of the account; needed if there are several.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Import without asking.")] = False,
    preview: Annotated[
        bool, typer.Option("--preview", help="Only say what would be imported.")
    ] = False,
) -> None:
    """Import articles, bookmarks and highlights from a file of another program."""
    with api_for(user) as api:
        found = _upload(api, file)
        _describe(found)
        path = f"/imports/{found['id']}"
        if preview or not (yes or typer.confirm("Import this?", default=True)):
            api.delete(path)
            return
        library_id = None if library is None else _library(api, library)
        api.post(f"{path}/start", {"library_id": library_id, "tags": tag or []})
        _report(_wait(api, path))


def _upload(api: NexusApi, file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as content:
            found: dict[str, Any] = api.send_file("/imports", content, name=file.name)
            return found
    except OSError as error:
        fail(f"{file}: {error.strerror}")


def _describe(found: dict[str, Any]) -> None:
    counts = found["counts"]
    said = f"{found['format_label']}: {_number(counts['items'], 'item')}"
    more = _number(counts["highlights"], "highlight")
    say(f"{said}, {more}." if counts["highlights"] else f"{said}.")
    for sample in found["samples"]:
        say(f"  {sample['title'] or sample['url'] or 'Untitled'}")
    if counts["items"] > len(found["samples"]):
        say("  …")
    for reason, count in found["skipped_reasons"].items():
        say(f"Skipped, {count:,}: {reason}")


def _library(api: NexusApi, name: str) -> str:
    """The id of the library of this name, which is created if there is none."""
    cursor = ""
    while True:
        page = api.get(f"/libraries?limit=100{cursor}")
        for one in page["libraries"]:
            if one["name"] == name and one["role"] == "admin":
                return str(one["id"])
        if page["next_cursor"] is None:
            return str(api.post("/libraries", {"name": name})["id"])
        cursor = f"&cursor={page['next_cursor']}"


def _wait(api: NexusApi, path: str) -> dict[str, Any]:
    """Show how far it is until it is done or stopped."""
    found: dict[str, Any] = {}

    def finished() -> bool:
        found.update(api.get(path))
        counts = found["counts"]
        done = counts["items_done"] + counts["items_failed"]
        progress(f"{done:,} of {counts['items']:,} items imported")
        return not found["unfinished"]

    if not wait_until(finished, within=_WAIT_SECONDS, every=_POLL_SECONDS):
        fail("It is still not done. Is the worker running? Check with `nexus doctor`.")
    return found


def _report(found: dict[str, Any]) -> None:
    counts = found["counts"]
    say(f"Imported {_number(counts['items_done'], 'item')}.")
    if counts["items_failed"]:
        say(f"{counts['items_failed']:,} could not be imported; Settings has the report.")
    if counts["items_waiting"]:
        say(f"{_number(counts['items_waiting'], 'page')} will be fetched in the background.")


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"

"""`nexus add`: save a web page, or add a PDF or EPUB, from the command line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from nexus.cli.nexus_api import NexusApi, api_for
from nexus.cli.operator import fail
from nexus.config import get_settings
from nexus.extractors.file_types import FileType
from nexus.services.file_kinds import all_file_types
from nexus.storage import get_storage_client
from nexus.storage.errors import StorageError
from nexus.storage.protocol import CHUNK_BYTES
from nexus.waiting import wait_until

_POLL_SECONDS = 0.2
_WAIT_SECONDS = 180.0
_UNFINISHED = {"pending", "extracting"}


def add(
    what: Annotated[str, typer.Argument(help="The address of a page, or a PDF or EPUB file.")],
    wait: Annotated[bool, typer.Option("--wait", help="Wait until it can be read.")] = False,
    user: Annotated[str | None, typer.Option(help="E-mail of the account to save it for.")] = None,
) -> None:
    """Save a web page, or add a file."""
    file = _file_type(what)
    with api_for(user) as api:
        media_id, is_new = _save(api, what) if file is None else _upload(api, Path(what), file)
        media = api.get(f"/media/{media_id}")
        known = "" if is_new else "  (already in your library)"
        typer.echo(f"{media['id']}  {media['processing_status']}{known}")
        if wait:
            _report(api, _wait(api, media))


def _file_type(what: str) -> FileType | None:
    """What file this names; None for an address."""
    if "://" in what:
        return None
    extension = Path(what).suffix.lower().removeprefix(".")
    found = next((each for each in all_file_types() if each.extension == extension), None)
    if found is None and Path(what).exists():
        fail(f"{what} is not a {' or '.join(each.name for each in all_file_types())} file.")
    return found


def _save(api: NexusApi, url: str) -> tuple[str, bool]:
    saved = api.post("/media/url", {"kind": "web_article", "url": url})
    return saved["media_id"], saved["created"]


def _upload(api: NexusApi, path: Path, file: FileType) -> tuple[str, bool]:
    """As the web app does it, except that the bytes go straight into the file store."""
    try:
        with path.open("rb") as content:
            size = path.stat().st_size
            target = api.post(
                "/media/upload/init",
                {
                    "kind": file.extension,
                    "filename": path.name,
                    "content_type": file.content_type,
                    "size_bytes": size,
                },
            )
            get_storage_client(get_settings()).put(
                target["storage_path"],
                content_type=file.content_type,
                size_bytes=size,
                chunks=_chunks(content),
            )
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except StorageError as error:
        fail(f"The file could not be stored: {error}.")
    outcome = api.post(f"/media/{target['media_id']}/ingest", {})
    return outcome["media_id"], not outcome["duplicate"]


def _chunks(content: BinaryIO) -> Iterator[bytes]:
    while chunk := content.read(CHUNK_BYTES):
        yield chunk


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
    words = media["word_count"]
    if words is None:
        fragments = api.get(f"/media/{media['id']}/fragments")["fragments"]
        words = sum(len(fragment["canonical_text"].split()) for fragment in fragments)
    typer.echo(f"{media['title']} ({words:,} words)")

"""The PDF or EPUB of an item out of an archive: kept as an upload is, and read as usual."""

import hashlib
import tempfile
from datetime import datetime
from typing import IO
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import MediaKind
from nexus.db.models import Media, MediaFile
from nexus.extractors.file_types import HEAD_BYTES, FileType
from nexus.extractors.kinds import FILE_KINDS
from nexus.importers.nexus import Json
from nexus.importers.records import InvalidFile
from nexus.services.enqueue import enqueue
from nexus.services.file_kinds import file_type
from nexus.services.imports.lines import Line
from nexus.services.imports.own_texts import put_on_shelf, source_of, web_address
from nexus.services.search_names import name_item
from nexus.services.titles import clean_title
from nexus.services.viewer import Viewer
from nexus.storage import get_storage_client
from nexus.storage.paths import object_path
from nexus.storage.protocol import CHUNK_BYTES


def restore_file(
    session: Session, viewer: Viewer, line: Line, entry: Json, stream: IO[bytes], *, now: datetime
) -> None:
    """The person's item with these bytes, or a new one that is read like an upload."""
    if entry.get("kind") not in FILE_KINDS:
        raise InvalidFile("This file is of a kind that cannot be read here")
    kind = file_type(str(entry["kind"]))
    with tempfile.TemporaryFile() as spool:
        sha256, size = _copied(stream, spool, kind)
        media_id = session.scalar(
            select(Media.id)
            .where(
                Media.created_by_user_id == viewer.user_id,
                Media.kind == MediaKind(str(entry["kind"])),
                Media.file_sha256 == sha256,
            )
            .with_for_update(read=True, key_share=True)
        )
        if media_id is not None:
            put_on_shelf(session, viewer, line, media_id, now=now)
            return
        media = Media(
            id=uuid4(),
            kind=MediaKind(str(entry["kind"])),
            title=clean_title(line.item.title or "Untitled"),
            requested_url=web_address(line.item.url),
            canonical_source_url=source_of(entry),
            file_sha256=sha256,
            created_by_user_id=viewer.user_id,
        )
        path = object_path(media.id, kind.extension, prefix=get_settings().storage_prefix)
        # Before the commit: a file without its row is deleted as an orphan, never the reverse.
        spool.seek(0)
        get_storage_client(get_settings()).put(
            path,
            content_type=kind.content_type,
            size_bytes=size,
            chunks=iter(lambda: spool.read(CHUNK_BYTES), b""),
        )
    name_item(session, media)
    session.add(media)
    session.flush()
    session.add(
        MediaFile(
            media_id=media.id, storage_path=path, content_type=kind.content_type, size_bytes=size
        )
    )
    session.flush()
    put_on_shelf(session, viewer, line, media.id, now=now)
    enqueue(session, media, actor_user_id=viewer.user_id)


def _copied(stream: IO[bytes], spool: IO[bytes], kind: FileType) -> tuple[str, int]:
    digest, size, head = hashlib.sha256(), 0, b""
    while chunk := stream.read(CHUNK_BYTES):
        head = head or chunk[:HEAD_BYTES]
        size += len(chunk)
        if size > kind.max_bytes:
            raise InvalidFile(f"This {kind.name} is larger than can be uploaded")
        digest.update(chunk)
        spool.write(chunk)
    if not kind.looks_right(head):
        raise InvalidFile(f"The file of this item is not in {kind.name} format")
    return digest.hexdigest(), size

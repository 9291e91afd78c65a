"""Making a backup, while Nexus runs or not.

The database is copied as it is at one moment; then the files it names are. Files never
change, so the only thing that can come between is a deletion, which is written down.
"""

import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from nexus.backup import database
from nexus.backup.archive import (
    FILES,
    SECRETS,
    ArchiveWriter,
    Manifest,
    new_archive,
    rows_member,
)
from nexus.backup.archive import sha256_of as checksum
from nexus.backup.database import Snapshot, StoredFile
from nexus.backup.key import ensure_key
from nexus.backup.place import any_database
from nexus.backup.rows import deflated
from nexus.backup.tables import rows_out
from nexus.config import Settings
from nexus.progress import Progress
from nexus.secrets import ensure_secrets
from nexus.storage import StorageClient, get_storage_client
from nexus.storage.copying import copy_object

_SAY_EVERY = 500


@dataclass
class _Gaps:
    deleted_meanwhile: list[str] = field(default_factory=list)
    missing_files: dict[str, str] = field(default_factory=dict)
    """Why, by path."""


def create_backup(settings: Settings, path: Path, *, say: Progress) -> Manifest:
    """Write the archive; the list of what is in it."""
    with new_archive(path) as archive, any_database(settings, say) as url:
        storage = get_storage_client(ensure_secrets(settings))
        key = ensure_key(settings.data_dir)
        with database.snapshot(url) as moment:
            say("Copying the database")
            _copy_rows(archive, moment, path)
        gaps = _copy_files(archive, url, moment, storage, path, say)
        secrets = settings.data_dir / "secrets.json"
        if secrets.exists():
            with secrets.open("rb") as source:
                archive.add(SECRETS, source)
        manifest = Manifest(
            created_at=datetime.now(UTC),
            schema_revision=moment.revision,
            rows=moment.rows,
            columns=moment.columns,
            entries=archive.entries,
            deleted_meanwhile=gaps.deleted_meanwhile,
            missing_files=list(gaps.missing_files),
            missing_because=gaps.missing_files,
        )
        archive.finish(manifest, key=key)
    return manifest


def _copy_rows(archive: ArchiveWriter, moment: Snapshot, path: Path) -> None:
    for table, columns in moment.columns.items():
        with _spool(path) as spool:
            spool.writelines(deflated(rows_out(moment.connection, table, columns)))
            archive.add(rows_member(table), spool)


def _copy_files(
    archive: ArchiveWriter,
    url: str,
    moment: Snapshot,
    storage: StorageClient,
    path: Path,
    say: Progress,
) -> _Gaps:
    gaps = _Gaps()
    say(f"Copying {len(moment.files)} files")
    for number, file in enumerate(moment.files, start=1):
        with _spool(path) as spool:
            reason = _fetch(storage, file, spool)
            if reason is None:
                archive.add(f"{FILES}{file.path}", spool)
            else:
                _note_gap(gaps, url, file, reason)
        if number % _SAY_EVERY == 0:
            say(f"  {number} of {len(moment.files)}")
    return gaps


def _fetch(storage: StorageClient, file: StoredFile, spool: IO[bytes]) -> str | None:
    """Why the store did not return the bytes the database knows; None when it did."""
    reason = copy_object(storage, file.path, spool)
    if reason is None and file.sha256 not in {None, checksum(spool)}:
        return "it is damaged"
    return reason


def _note_gap(gaps: _Gaps, url: str, file: StoredFile, reason: str) -> None:
    with database.connected(url) as connection:
        if file in database.stored_files(connection, media_id=file.media_id):
            gaps.missing_files[file.path] = reason
        else:
            gaps.deleted_meanwhile.append(file.media_id)


def _spool(path: Path) -> IO[bytes]:
    """A nameless file beside the archive, where there must be room anyway."""
    return tempfile.TemporaryFile(dir=path.absolute().parent)

"""Restoring a backup.

The rows come first, in a transaction that is kept only when the files are stored too; then whatever
else the old installation had is removed. Stopped at any moment, this leaves the old installation
or the new one, and an archive that is refused has changed nothing.
"""

import hashlib
import logging
import shutil
from pathlib import Path
from typing import Any

import psycopg

from nexus.atomic_file import remove_leftovers, replacement_file
from nexus.backup import database
from nexus.backup.archive import (
    DUMP,
    DUMP_FORMAT,
    FILES,
    SECRETS,
    Archive,
    Entry,
    Manifest,
    opened_archive,
    rows_member,
)
from nexus.backup.errors import BackupError, DamagedArchive, ForeignArchive
from nexus.backup.key import key_path, read_key
from nexus.backup.load import replaced_database
from nexus.backup.place import stopped_database
from nexus.backup.rows import Room
from nexus.config import Settings
from nexus.db.migrate import is_known_revision
from nexus.progress import Progress
from nexus.secrets import ensure_secrets
from nexus.storage import StorageClient, get_storage_client
from nexus.storage.errors import InvalidPath, in_megabytes
from nexus.storage.paths import content_type_of, media_folder, split_path

_logger = logging.getLogger(__name__)
_SAY_EVERY = 500


FOREIGN = (
    "Warning: this archive is not signed with this installation's key. Nothing in it is run, but "
    "the person who made it decides who can sign in here, with which passwords, sessions and API "
    "tokens, and what everybody reads. Its secrets are not taken over."
)


def restore_backup(
    settings: Settings,
    path: Path,
    *,
    force: bool,
    say: Progress,
    from_elsewhere: bool = False,
    warn: Progress = _logger.warning,
) -> Manifest:
    """Make this installation the one in the archive.

    Refuses to replace another one without `force`, and an archive that this installation did not
    make without `from_elsewhere`.
    """
    say(f"Checking {path}")
    with opened_archive(path) as archive:
        manifest = archive.manifest
        own = _is_own(archive, settings)
        if not own and not from_elsewhere:
            raise ForeignArchive(key_path(settings.data_dir))
        if not own:
            warn(FOREIGN)
        if not is_known_revision(manifest.schema_revision):
            raise BackupError("This backup was made by a newer Nexus: update this one first.")
        _check_names(manifest)
        with stopped_database(settings, say) as url:
            storage = get_storage_client(ensure_secrets(settings))
            if not force:
                _require_empty(settings, url, storage)
            _require_room(manifest, storage)
            if not own:
                _spare_others(manifest, settings, storage)
            say("Restoring the database")
            with replaced_database(url, archive, own=own, room=_room(settings)) as connection:
                _check_files(manifest, connection)
                _put_files(archive, storage, say)
            if own:
                _restore_secrets(archive, settings)
            _remove_other_files(manifest, settings, storage)
    return manifest


def _is_own(archive: Archive, settings: Settings) -> bool:
    key = read_key(settings.data_dir)
    return key is not None and archive.is_signed_with(key)


def _check_names(manifest: Manifest) -> None:
    """It contains only what Nexus puts there, and files have valid paths."""
    is_dump = manifest.format == DUMP_FORMAT
    known = {SECRETS, *([DUMP] if is_dump else map(rows_member, manifest.columns))}
    for name in manifest.entries:
        if name not in known and not name.startswith(FILES):
            raise DamagedArchive(f"The archive is damaged: {name!r} has no place in it.")
    for path in [*manifest.stored_files(), *manifest.missing_files]:
        _check_path(path)


def _check_path(path: str) -> None:
    try:
        split_path(path)
    except InvalidPath:
        raise DamagedArchive(
            f"The archive is damaged: {path[:200]!r} is not a valid path."
        ) from None


def _room(settings: Settings) -> Room:
    """What the disk of our own database has free; of another database nothing is known."""
    is_ours = settings.database_url is None
    return Room(shutil.disk_usage(settings.data_dir).free if is_ours else None)


def _require_empty(settings: Settings, url: str, storage: StorageClient) -> None:
    with database.connected(url) as connection:
        used = database.has_people(connection)
    if used or next(storage.list_prefix(_folder(settings)), None) is not None:
        raise BackupError(
            "There is an installation here already. Restore into another data directory, or "
            "replace this one, all of it, with --force."
        )


def _require_room(manifest: Manifest, storage: StorageClient) -> None:
    """Fail now rather than halfway: the store may accept less than the one the files come from."""
    limit = storage.max_object_bytes()
    sizes = [entry.size for entry in manifest.stored_files().values()]
    if limit is not None and max(sizes, default=0) > limit:
        count = sum(size > limit for size in sizes)
        raise BackupError(
            f"{count} of {len(sizes)} files are too large; the storage accepts "
            f"{in_megabytes(limit)}: raise its limit to {max(sizes)} bytes or more first."
        )


def _spare_others(manifest: Manifest, settings: Settings, storage: StorageClient) -> None:
    """In a shared store, another's archive replaces no file that is not this installation's."""
    for path, entry in manifest.stored_files().items():
        is_ours = path.startswith(f"{_folder(settings)}/")
        if not is_ours and storage.stat(path) and not _is_there(storage, path, entry):
            raise BackupError(f"The archive would replace {path!r}, which is not of Nexus here.")


def _put_files(archive: Archive, storage: StorageClient, say: Progress) -> None:
    files = archive.manifest.stored_files()
    say(f"Restoring {len(files)} files")
    for number, (path, entry) in enumerate(files.items(), start=1):
        if not _is_there(storage, path, entry):
            storage.delete(path)
            storage.put(
                path,
                content_type=content_type_of(path),
                size_bytes=entry.size,
                chunks=archive.chunks(f"{FILES}{path}"),
            )
            if not _is_there(storage, path, entry):
                raise BackupError(f"The file store did not keep {path} as it was given.")
        if number % _SAY_EVERY == 0:
            say(f"  {number} of {len(files)}")


def _is_there(storage: StorageClient, path: str, entry: Entry) -> bool:
    info = storage.stat(path)
    if info is None or info.size_bytes != entry.size:
        return False
    digest = hashlib.sha256()
    for chunk in storage.open_stream(path):
        digest.update(chunk)
    return digest.hexdigest() == entry.sha256


def _check_files(manifest: Manifest, connection: psycopg.Connection[Any]) -> None:
    """Every file the restored database names was in the archive, with the bytes it names."""
    files = manifest.stored_files()
    for file in database.stored_files(connection):
        entry = files.get(file.path)
        agrees = entry is not None and file.sha256 in {None, entry.sha256}
        if not agrees and file.path not in manifest.missing_files:
            raise BackupError(f"The backup lacks the file {file.path!r}.")
    for (path,) in connection.execute("SELECT storage_path FROM pending_uploads"):
        _check_path(path)


def _restore_secrets(archive: Archive, settings: Settings) -> None:
    if SECRETS not in archive.manifest.entries:
        return
    path = settings.data_dir / "secrets.json"
    remove_leftovers(path)
    with archive.open(SECRETS) as source, replacement_file(path) as target:
        shutil.copyfileobj(source, target)


def _remove_other_files(manifest: Manifest, settings: Settings, storage: StorageClient) -> None:
    kept = manifest.stored_files()
    for found in list(storage.list_prefix(_folder(settings))):
        if found.path not in kept:
            storage.delete(found.path)


def _folder(settings: Settings) -> str:
    return media_folder(prefix=settings.storage_prefix)

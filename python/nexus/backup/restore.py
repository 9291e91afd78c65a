"""Bringing a backup back.

The files come first, then the database in one transaction, then whatever the old installation had
beside them goes: stopped at any moment, this leaves the old installation or the new one.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from nexus.backup import database
from nexus.backup.archive import DATABASE, FILES, SECRETS, Archive, Entry, Manifest, opened_archive
from nexus.backup.errors import BackupError
from nexus.backup.place import stopped_database
from nexus.config import Settings
from nexus.db.migrate import downgrade, is_known_revision, upgrade
from nexus.say import Say
from nexus.secrets import ensure_secrets
from nexus.storage import StorageClient, get_storage_client
from nexus.storage.errors import in_megabytes
from nexus.storage.paths import content_type_of, split_path, split_prefix

_SAY_EVERY = 500


def restore_backup(settings: Settings, path: Path, *, force: bool, say: Say) -> Manifest:
    """Make this installation the one in the archive; refuses to replace another without force."""
    say(f"Checking {path}")
    with opened_archive(path) as archive:
        manifest = archive.manifest
        if not is_known_revision(manifest.schema_revision):
            raise BackupError("This backup was made by a newer Nexus: update this one first.")
        for name in manifest.stored_files():
            split_path(name)
        with stopped_database(settings, say) as url:
            storage = get_storage_client(ensure_secrets(settings))
            if not force:
                _require_empty(settings, url, storage)
            _require_room(manifest, storage)
            _put_files(archive, storage, say)
            say("Restoring the database")
            _load_database(archive, url, room=settings.data_dir)
            _check_files(manifest, url)
            _restore_secrets(archive, settings)
            _remove_other_files(manifest, settings, storage)
    return manifest


def _require_empty(settings: Settings, url: str, storage: StorageClient) -> None:
    with database.connected(url) as connection:
        used = database.has_people(connection)
    if used or next(storage.list_prefix(_folder(settings)), None) is not None:
        raise BackupError(
            "There is an installation here already. Restore into another data directory, or "
            "replace this one, all of it, with --force."
        )


def _require_room(manifest: Manifest, storage: StorageClient) -> None:
    """Better now than halfway: the store may accept less than the one the files come from."""
    limit = storage.max_object_bytes()
    sizes = [entry.size for entry in manifest.stored_files().values()]
    if limit is not None and max(sizes, default=0) > limit:
        count = sum(size > limit for size in sizes)
        raise BackupError(
            f"{count} of {len(sizes)} files are too large, the storage accepts "
            f"{in_megabytes(limit)}: raise its limit to {max(sizes)} bytes or more first."
        )


def _put_files(archive: Archive, storage: StorageClient, say: Say) -> None:
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


def _load_database(archive: Archive, url: str, *, room: Path) -> None:
    manifest = archive.manifest
    with database.connected(url) as connection:
        here = database.current_revision(connection)
    if here not in {None, manifest.schema_revision}:
        # Tables the dump does not know would stay behind.
        downgrade(url, "base")
    with archive.open(DATABASE) as source, tempfile.TemporaryFile(dir=room) as spool:
        shutil.copyfileobj(source, spool)
        spool.seek(0)
        database.load(url, spool)
    with database.connected(url) as connection:
        found = database.count_rows(connection)
        if {table: found.get(table) for table in manifest.rows} != manifest.rows:
            raise BackupError("The restored tables have not as many rows as the backup says.")
        database.delete_items(connection, manifest.deleted_meanwhile)
    upgrade(url)


def _check_files(manifest: Manifest, url: str) -> None:
    """Every file the restored database names was in the archive, with the bytes it names."""
    files = manifest.stored_files()
    with database.connected(url) as connection:
        for file in database.stored_files(connection):
            entry = files.get(file.path)
            agrees = entry is not None and file.sha256 in {None, entry.sha256}
            if not agrees and file.path not in manifest.missing_files:
                raise BackupError(f"The backup lacks the file {file.path}.")


def _restore_secrets(archive: Archive, settings: Settings) -> None:
    if SECRETS not in archive.manifest.entries:
        return
    temporary = settings.data_dir / "secrets.restored"
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as target, archive.open(SECRETS) as source:
        shutil.copyfileobj(source, target)
    temporary.replace(settings.data_dir / "secrets.json")


def _remove_other_files(manifest: Manifest, settings: Settings, storage: StorageClient) -> None:
    kept = manifest.stored_files()
    for found in list(storage.list_prefix(_folder(settings))):
        if found.path not in kept:
            storage.delete(found.path)


def _folder(settings: Settings) -> str:
    return "/".join([*split_prefix(settings.storage_prefix), "media"])

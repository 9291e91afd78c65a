"""What goes into a backup comes back whole, also when others write meanwhile."""

import shutil
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import JSONResponse, Response

from nexus.backup.archive import opened_archive
from nexus.backup.create import create_backup
from nexus.backup.errors import BackupError
from nexus.backup.key import key_path
from nexus.backup.restore import restore_backup
from nexus.config import Settings
from nexus.db.enums import HighlightColor
from nexus.db.models import Media, SearchBacklog, SearchPassage
from nexus.services.search_backlog import index_item
from nexus.storage import get_storage_client
from nexus.storage.errors import (
    StorageError,
    StorageUnavailable,
    WrongAddress,
    WrongBucket,
    WrongKey,
)
from nexus.storage.supabase import SupabaseStorage
from nexus.supervisor.layout import Layout
from nexus.supervisor.lock import exclusive
from tests.backup.installations import (
    add_file,
    add_highlight,
    add_picture,
    contents,
    engine_of,
    fill,
    new_installation,
)
from tests.factories import make_article, make_user
from tests.patience import PATIENCE_SECONDS
from tests.storage.backends import BUCKET, SERVICE_KEY, running_backend
from tests.storage.serving import served
from tests.storage.supabase_server import SupabaseServer


def silent(line: str) -> None:
    assert line


def refuse_warnings(line: str) -> None:
    raise AssertionError(line)


def restore_elsewhere(target: Settings, archive: Path, *, force: bool) -> None:
    """Restore into an installation that does not have the key of the one that made the archive."""
    restore_backup(target, archive, force=force, from_elsewhere=True, warn=silent, say=silent)


@pytest.fixture
def source(tmp_path: Path) -> Settings:
    settings = new_installation(tmp_path)
    fill(settings)
    return settings


@pytest.mark.heavy
def test_pictures_of_books_come_back(source: Settings, tmp_path: Path) -> None:
    with engine_of(source) as engine, Session(engine, expire_on_commit=False) as session:
        media_id, _ = add_file(session, source, make_user(session).user_id)
        kept, lost, damaged = (add_picture(session, source, media_id) for _ in range(3))
    archive, target = tmp_path / "backup.tar", new_installation(tmp_path)
    before = contents(source)
    create_backup(source, archive, say=silent)
    restore_elsewhere(target, archive, force=False)
    assert contents(target) == before
    storage = get_storage_client(source)
    for path in (lost, damaged):
        storage.delete(path)
    storage.put(damaged, content_type="image/png", size_bytes=1, chunks=[b"x"])
    manifest = create_backup(source, tmp_path / "later.tar", say=silent)
    assert manifest.missing_because == {lost: "it is not there", damaged: "it is damaged"}
    assert kept in manifest.stored_files()


@pytest.mark.parametrize("migrated", [True, pytest.param(False, marks=pytest.mark.heavy)])
def test_round_trip(source: Settings, tmp_path: Path, migrated: bool) -> None:
    archive = tmp_path / "backup.tar"
    before = contents(source)
    assert len(before["annotations"]) == 4
    assert len(before["stored"]) == 4
    create_backup(source, archive, say=silent)
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    target = new_installation(tmp_path, migrated=migrated)
    restore_elsewhere(target, archive, force=False)
    assert contents(target) == before == contents(source)
    assert [path.name for path in tmp_path.glob("*.tmp")] == []


@pytest.mark.heavy
def test_what_is_restored_can_be_searched_again(source: Settings, tmp_path: Path) -> None:
    with engine_of(source) as engine, Session(engine) as session:
        for media_id in session.scalars(select(Media.id)):
            index_item(session, media_id=media_id)
        session.commit()
        before = passages(session)
    assert len(before) == 2
    archive, target = tmp_path / "backup.tar", new_installation(tmp_path)
    create_backup(source, archive, say=silent)
    restore_elsewhere(target, archive, force=False)
    with engine_of(target) as engine, Session(engine) as session:
        assert passages(session) == []
        for media_id in session.scalars(select(SearchBacklog.media_id)):
            index_item(session, media_id=media_id)
        assert passages(session) == before
        assert session.scalars(select(SearchBacklog)).all() == []


def passages(session: Session) -> list[str]:
    columns = (SearchPassage.fragment_id, SearchPassage.words, SearchPassage.library_ids)
    return sorted(map(str, session.execute(select(*columns))))


@pytest.mark.heavy
def test_secrets_come_back_to_their_own_installation(source: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar"
    (source.data_dir / "secrets.json").write_text('{"jwt_secret": "kept"}')
    create_backup(source, archive, say=silent)
    target = new_installation(tmp_path)
    shutil.copy(key_path(source.data_dir), target.data_dir)
    restore_backup(target, archive, force=False, say=silent, warn=refuse_warnings)
    secrets = target.data_dir / "secrets.json"
    assert secrets.read_text() == '{"jwt_secret": "kept"}'
    assert stat.S_IMODE(secrets.stat().st_mode) == 0o600


def test_force_replaces_everything_and_nothing_less_does(source: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar"
    create_backup(source, archive, say=silent)
    target = new_installation(tmp_path)
    fill(target, files=1)
    before = contents(target)
    with pytest.raises(BackupError, match="--force"):
        restore_elsewhere(target, archive, force=False)
    assert contents(target) == before
    restore_elsewhere(target, archive, force=True)
    assert contents(target) == contents(source)


@pytest.mark.heavy
def test_files_alone_are_an_installation_too(source: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar"
    create_backup(source, archive, say=silent)
    target = new_installation(tmp_path, migrated=False)
    path = f"{target.storage_prefix}media/x/original.pdf"
    get_storage_client(target).put(path, content_type="x", size_bytes=1, chunks=[b"x"])
    with pytest.raises(BackupError, match="--force"):
        restore_elsewhere(target, archive, force=False)


def test_a_backup_is_never_overwritten(source: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar"
    archive.write_text("precious")
    with pytest.raises(FileExistsError, match="already there"):
        create_backup(source, archive, say=silent)
    assert archive.read_text() == "precious"


@pytest.mark.heavy
def test_restore_waits_for_nobody(source: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar"
    create_backup(source, archive, say=silent)
    target = new_installation(tmp_path, migrated=False)
    layout = Layout(target.data_dir)
    layout.create()
    with exclusive(layout.lock), pytest.raises(BackupError, match="stop it first"):
        restore_elsewhere(target, archive, force=False)


@pytest.mark.heavy
def test_a_newer_schema_is_refused(source: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar"
    assert source.database_url is not None
    with psycopg.connect(source.database_url.replace("+psycopg", "")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'from_the_future'")
    create_backup(source, archive, say=silent)
    with pytest.raises(BackupError, match="newer Nexus"):
        restore_elsewhere(new_installation(tmp_path), archive, force=False)


@pytest.mark.heavy
def test_an_item_deleted_while_files_are_copied(source: Settings, tmp_path: Path) -> None:
    """The dump still has it, its file is gone: it must not come back as an empty shell."""
    archive = tmp_path / "backup.tar"
    with engine_of(source) as engine, Session(engine) as session:
        media_id, path = add_file(session, source, make_user(session).user_id)

    def delete_when_copying(line: str) -> None:
        if line.startswith("Copying"):
            assert source.database_url is not None
            with psycopg.connect(source.database_url.replace("+psycopg", "")) as connection:
                connection.execute("DELETE FROM media WHERE id = %s", [media_id])
            get_storage_client(source).delete(path)

    manifest = create_backup(source, archive, say=delete_when_copying)
    assert manifest.deleted_meanwhile == [str(media_id)]
    assert manifest.missing_files == []
    target = new_installation(tmp_path)
    restore_elsewhere(target, archive, force=False)
    assert contents(target) == contents(source)


@pytest.mark.parametrize("damage", ["delete", "change"])
@pytest.mark.heavy
def test_a_file_the_store_lost_is_named(source: Settings, tmp_path: Path, damage: str) -> None:
    archive = tmp_path / "backup.tar"
    storage = get_storage_client(source)
    lost = next(storage.list_prefix(f"{source.storage_prefix}media"))
    storage.delete(lost.path)
    if damage == "change":
        body = bytes(lost.size_bytes)
        storage.put(lost.path, content_type="x", size_bytes=len(body), chunks=[body])
    manifest = create_backup(source, archive, say=silent)
    assert manifest.missing_files == [lost.path]
    reason = {"delete": "it is not there", "change": "it is damaged"}[damage]
    assert manifest.missing_because == {lost.path: reason}
    target = new_installation(tmp_path)
    restore_elsewhere(target, archive, force=False)
    assert contents(target)["media_file"] == contents(source)["media_file"]


@pytest.fixture
def written_to(source: Settings) -> Iterator[Settings]:
    """An installation on which somebody writes without pause: each note with its highlight."""
    stop, wrote = threading.Event(), threading.Event()

    def write() -> None:
        with engine_of(source) as engine, Session(engine, expire_on_commit=False) as session:
            person = make_user(session)
            number = 0
            while not stop.is_set():
                number += 1
                url = f"https://example.org/{number}"
                fragment = make_article(session, person, text="x" * 500, canonical_url=url)
                for start in range(5):
                    add_highlight(
                        session,
                        person.user_id,
                        fragment.id,
                        start=start,
                        color=HighlightColor.PINK,
                    )
                add_file(session, source, person.user_id)
                session.commit()
                wrote.set()

    writer = threading.Thread(target=write)
    writer.start()
    assert wrote.wait(PATIENCE_SECONDS)
    yield source
    stop.set()
    writer.join(PATIENCE_SECONDS)
    assert not writer.is_alive()


@pytest.mark.heavy
def test_a_backup_under_writing_is_one_moment(written_to: Settings, tmp_path: Path) -> None:
    for number in range(3):
        archive = tmp_path / f"{number}.tar"
        manifest = create_backup(written_to, archive, say=silent)
        assert manifest.missing_files == manifest.deleted_meanwhile == []
        target = new_installation(tmp_path)
        restore_elsewhere(target, archive, force=False)
        found = contents(target)
        # Written in one transaction, so either both are there or neither.
        assert len(found["highlights"]) == len(found["annotations"]) > 4
        assert len(found["media_file"]) == len(found["stored"]) > 4


@pytest.mark.heavy
def test_from_one_kind_of_store_to_another(tmp_path: Path) -> None:
    with running_backend("supabase", tmp_path) as backend:
        source = new_installation(
            tmp_path,
            storage="supabase",
            storage_prefix=backend.prefix,
            supabase_url=backend.origin,
            supabase_service_key=SecretStr(SERVICE_KEY),
            supabase_bucket=BUCKET,
        )
        fill(source)
        create_backup(source, tmp_path / "backup.tar", say=silent)
        target = new_installation(tmp_path, storage_prefix=backend.prefix)
        restore_elsewhere(target, tmp_path / "backup.tar", force=False)
        assert contents(target) == contents(source)
        assert len(contents(target)["stored"]) == 4
        client = get_storage_client(source)
        assert isinstance(client, SupabaseStorage)
        client.close()


@pytest.fixture
def on_supabase(tmp_path: Path) -> Iterator[tuple[SupabaseServer, Settings]]:
    """An installation whose files are in Supabase Storage."""
    server = SupabaseServer(service_key=SERVICE_KEY, bucket=BUCKET)
    with served(server.app) as origin:
        settings = new_installation(
            tmp_path,
            storage="supabase",
            supabase_url=origin,
            supabase_service_key=SecretStr(SERVICE_KEY),
            supabase_bucket=BUCKET,
        )
        yield server, settings
        client = get_storage_client(settings)
        assert isinstance(client, SupabaseStorage)
        client.close()


def failed(status: int, error: str, code: str) -> Response:
    body = {"statusCode": str(status), "error": error, "code": code, "message": "…"}
    return JSONResponse(body, 500 if status == 500 else 400)


@pytest.mark.heavy
def test_one_file_that_cannot_be_read_is_named_and_the_others_are_kept(
    on_supabase: tuple[SupabaseServer, Settings], tmp_path: Path
) -> None:
    server, source = on_supabase
    fill(source)

    def break_one(line: str) -> None:
        if line.startswith("Copying"):
            server.failures = [failed(500, "InternalError", "InternalError")] * 3

    manifest = create_backup(source, tmp_path / "backup.tar", say=break_one)
    assert list(manifest.missing_because.values()) == ["the storage service responded with 500"]
    assert len(manifest.stored_files()) == 3


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (failed(403, "Unauthorized", "AccessDenied"), WrongKey),
        (failed(404, "Bucket not found", "NoSuchBucket"), WrongBucket),
        (JSONResponse({"message": "no Route matched with those values"}, 404), WrongAddress),
        (failed(503, "SlowDown", "SlowDown"), StorageUnavailable),
    ],
)
@pytest.mark.heavy
def test_a_store_that_cannot_be_read_leaves_no_archive(
    on_supabase: tuple[SupabaseServer, Settings],
    tmp_path: Path,
    refusal: Response,
    error: type[StorageError],
) -> None:
    server, source = on_supabase
    fill(source)

    def break_all(line: str) -> None:
        if line.startswith("Copying"):
            server.failures = [refusal] * 100

    with pytest.raises(error):
        create_backup(source, tmp_path / "backup.tar", say=break_all)
    assert list(tmp_path.glob("*backup.tar*")) == []


@pytest.mark.heavy
def test_a_store_with_too_small_a_limit_is_found_before_anything_is_written(
    on_supabase: tuple[SupabaseServer, Settings], source: Settings, tmp_path: Path
) -> None:
    server, target = on_supabase
    manifest = create_backup(source, tmp_path / "backup.tar", say=silent)
    server.file_size_limit = max(entry.size for entry in manifest.stored_files().values()) - 1
    with pytest.raises(BackupError, match="files are too large; the storage accepts"):
        restore_elsewhere(target, tmp_path / "backup.tar", force=False)
    assert server.objects == {}


@pytest.mark.heavy
def test_every_member_is_listed(source: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar"
    create_backup(source, archive, say=silent)
    with opened_archive(archive) as opened:
        assert len(opened.manifest.stored_files()) == 4
        assert opened.manifest.rows["highlights"] == 4

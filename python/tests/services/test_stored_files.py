"""Stored bytes that belong to nobody are found; those that belong to somebody are left alone."""

import os
import time
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import FailureStage
from nexus.services import stored_files
from nexus.services.stored_files import ORPHANED_AFTER
from nexus.storage.paths import object_path
from nexus.tasks.housekeeping import delete_orphaned_files
from tests.factories import make_user
from tests.media_states import local_storage, media_with_everything, store_bytes


def stored_for(media_id: UUID, *, age: timedelta) -> str:
    path = object_path(media_id, "pdf", prefix=get_settings().storage_prefix)
    if local_storage().stat(path) is None:
        store_bytes(path, b"%PDF-1.7")
    then = time.time() - age.total_seconds()
    with local_storage().open_object(path) as file:
        os.utime(file.fileno(), (then, then))
    return path


@pytest.mark.parametrize("batch", [1, 500])
def test_only_old_files_without_an_item_go(
    batch: int, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_files, "_BATCH", batch)
    old, recent = ORPHANED_AFTER * 1.01, ORPHANED_AFTER * 0.99
    media, _ = media_with_everything(session, make_user(session), stage=FailureStage.EXTRACT)
    kept = [stored_for(media.id, age=old), stored_for(uuid4(), age=recent)]
    orphans = [stored_for(uuid4(), age=old) for _ in range(3)]
    assert delete_orphaned_files.apply().get() == len(orphans)
    assert [local_storage().stat(path) for path in orphans] == [None] * len(orphans)
    assert None not in [local_storage().stat(path) for path in kept]
    assert delete_orphaned_files.apply().get() == 0

"""Small regular chores, sent by the schedule."""

from nexus.celery import celery_app
from nexus.config import get_settings
from nexus.db.task_session import task_session
from nexus.services.highlight_undo import forget_deleted_highlights as forget_deleted
from nexus.services.imports.preview import forget_old_previews as forget_previews
from nexus.services.media_removal import delete_removed_media as delete_removed
from nexus.services.sessions import delete_expired_sessions
from nexus.services.stored_files import delete_orphaned_files as delete_orphaned
from nexus.services.unplaced import forget_deleted as forget_deleted_unplaced
from nexus.services.upload import fail_abandoned_uploads as fail_abandoned
from nexus.storage import get_storage_client
from nexus.storage.cleanup import remove_abandoned_uploads, remove_old_test_runs


@celery_app.task(name="nexus.purge_expired_sessions")  # type: ignore[untyped-decorator]
def purge_expired_sessions() -> int:
    """Delete expired browser sessions; they are refused already, this only frees the rows."""
    with task_session() as session:
        return delete_expired_sessions(session)


@celery_app.task(name="nexus.fail_abandoned_uploads")  # type: ignore[untyped-decorator]
def fail_abandoned_uploads() -> int:
    """Fail items whose upload never arrived."""
    with task_session() as session:
        return fail_abandoned(session)


@celery_app.task(name="nexus.forget_deleted_highlights")  # type: ignore[untyped-decorator]
def forget_deleted_highlights() -> int:
    """Forget highlights whose deletion can no longer be undone."""
    with task_session() as session:
        return forget_deleted(session) + forget_deleted_unplaced(session)


@celery_app.task(name="nexus.forget_old_previews")  # type: ignore[untyped-decorator]
def forget_old_previews() -> int:
    """Forget previews of imports that nobody started."""
    with task_session() as session:
        return forget_previews(session)


@celery_app.task(name="nexus.delete_removed_media")  # type: ignore[untyped-decorator]
def delete_removed_media() -> int:
    """Delete removed items once their removal can no longer be undone."""
    with task_session() as session:
        return delete_removed(session)


@celery_app.task(name="nexus.delete_orphaned_files")  # type: ignore[untyped-decorator]
def delete_orphaned_files() -> int:
    """Delete stored files whose item is gone."""
    with task_session() as session:
        return delete_orphaned(session, get_storage_client(get_settings()))


@celery_app.task(name="nexus.tidy_storage")  # type: ignore[untyped-decorator]
def tidy_storage() -> None:
    """Remove what aborted uploads and old test runs left in storage."""
    storage = get_storage_client(get_settings())
    remove_abandoned_uploads(storage)
    remove_old_test_runs(storage)

"""What a scheduled job removes: leftovers of test runs and of uploads whose process was killed."""

from datetime import UTC, datetime, timedelta

from nexus.storage.local import LocalStorage
from nexus.storage.protocol import StorageClient

TEST_RUNS = "test_runs"


def remove_old_test_runs(
    client: StorageClient,
    *,
    older_than: timedelta = timedelta(hours=24),
    now: datetime | None = None,
) -> list[str]:
    """Delete the `test_runs/{run_id}/` folders nothing was written to lately; name them."""
    limit = (now or datetime.now(UTC)) - older_than
    last_write: dict[str, datetime] = {}
    for found in client.list_prefix(TEST_RUNS):
        run = "/".join(found.path.split("/")[:2]) + "/"
        last_write[run] = max(found.updated_at, last_write.get(run, found.updated_at))
    old = sorted(run for run, written in last_write.items() if written < limit)
    for run in old:
        client.delete_prefix(run)
    return old


def remove_abandoned_uploads(
    client: StorageClient, *, older_than: timedelta = timedelta(hours=2)
) -> int:
    """Remove half-written files, if the storage is local; Supabase removes its own."""
    if not isinstance(client, LocalStorage):
        return 0
    return client.remove_abandoned_uploads(older_than_seconds=older_than.total_seconds())

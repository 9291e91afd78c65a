"""Where an installation's database is: running, or started for as long as it is needed."""

from collections.abc import Iterator
from contextlib import contextmanager

from nexus.backup.errors import BackupError
from nexus.config import Settings
from nexus.embedded.postgres import EmbeddedPostgres
from nexus.embedded.running import running
from nexus.progress import Progress
from nexus.supervisor.layout import Layout
from nexus.supervisor.lock import AlreadyRunningError, exclusive, holder


@contextmanager
def any_database(settings: Settings, say: Progress) -> Iterator[str]:
    """The URL of the database, whether Nexus runs or not."""
    layout = Layout(settings.data_dir)
    if settings.database_url is not None:
        yield settings.database_url
    elif holder(layout.lock) is not None:
        if not layout.postgres.is_ready():
            raise BackupError("Nexus is starting or stopping. Try again in a moment.")
        yield layout.postgres.url()
    elif not layout.postgres.data.exists():
        raise BackupError(f"There is nothing to back up in {settings.data_dir}.")
    else:
        with stopped_database(settings, say) as url:
            yield url


@contextmanager
def stopped_database(settings: Settings, say: Progress) -> Iterator[str]:
    """The URL of a database that nobody else works on, as far as this machine can tell."""
    layout = Layout(settings.data_dir)
    layout.create()
    try:
        with exclusive(layout.lock):
            if settings.database_url is not None:
                yield settings.database_url
                return
            say("Starting the database")
            with running(EmbeddedPostgres(layout.postgres.root, say=say)) as postgres:
                postgres.create_database("nexus")
                yield postgres.url()
    except AlreadyRunningError as error:
        raise BackupError(f"Nexus runs on {settings.data_dir} ({error}): stop it first.") from None

"""What commands need to act on a running Nexus: its settings, database and accounts."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from nexus.cli.common import settings_or_exit
from nexus.config import Settings, SettingsError, get_settings
from nexus.db.task_session import task_session
from nexus.errors import ApiError
from nexus.secrets import ensure_secrets
from nexus.services.accounts import find_accounts
from nexus.services.users import welcome_user
from nexus.services.viewer import Viewer
from nexus.supervisor.environment import settings_environment
from nexus.supervisor.layout import Layout, with_embedded
from nexus.supervisor.lock import holder


@contextmanager
def operator_session() -> Iterator[Session]:
    """A session on the running Nexus. Errors become one line and exit code 1."""
    use_running_nexus()
    try:
        with task_session() as session:
            yield session
    except ApiError as error:
        fail(error.message)
    except OperationalError:
        fail("The database is not responding. Start Nexus with `make up`, then try again.")


def fail(message: str) -> NoReturn:
    """Say what went wrong and exit with code 1."""
    typer.echo(message, err=True)
    raise typer.Exit(1)


def account_viewer(session: Session, email: str | None) -> Viewer:
    """The person a command acts for: the one named, or the only one there is."""
    accounts = find_accounts(session, email=email, at_most=2)
    if not accounts:
        fail(f"There is no account {email}." if email else "There is no account yet.")
    if len(accounts) > 1:
        fail("There are several accounts. Name one with --user E-MAIL.")
    account = accounts[0]
    library_id = welcome_user(session, user_id=account.user_id, email=account.email)
    return Viewer(account.user_id, account.email, library_id)


def use_running_nexus() -> Settings:
    """The settings of the running Nexus, which this process uses from now on."""
    settings = settings_or_exit()
    if settings.database_url is None and not _is_running(settings):
        fail(f"Nexus is not running on {settings.data_dir}. Start it with `make up`.")
    try:
        complete = with_embedded(ensure_secrets(settings))
    except SettingsError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    os.environ.update(settings_environment(complete))
    os.environ.setdefault("NEXUS_LOG_LEVEL", "error")
    get_settings.cache_clear()
    return get_settings()


def _is_running(settings: Settings) -> bool:
    try:
        return holder(Layout(settings.data_dir).lock) is not None
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")

"""What commands need that act on a running Nexus: its database, its queue, its people."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from nexus.cli.common import settings_or_exit
from nexus.config import get_settings
from nexus.db.models import Account
from nexus.errors import ApiError
from nexus.secrets import ensure_secrets
from nexus.services.users import welcome_user
from nexus.services.viewer import Viewer
from nexus.supervisor.layout import with_embedded


@contextmanager
def operator_session() -> Iterator[Session]:
    """A session on the running Nexus. Errors become one line and exit code 1."""
    _use_running_nexus()
    # Here, because it opens the database that was named only now.
    from nexus.tasks.session import task_session

    try:
        with task_session() as session:
            yield session
    except ApiError as error:
        fail(error.message)
    except OperationalError:
        fail("The database does not answer. Start Nexus with `make up`, then try again.")


def fail(message: str) -> NoReturn:
    """Say what went wrong and leave with exit code 1."""
    typer.echo(message, err=True)
    raise typer.Exit(1)


def account_viewer(session: Session, email: str | None) -> Viewer:
    """The person a command acts for: the one named, or the only one there is."""
    query = select(Account).order_by(Account.created_at).limit(2)
    if email is not None:
        query = query.where(Account.email == email.strip().lower())
    accounts = session.scalars(query).all()
    if not accounts:
        fail(f"There is no account {email}." if email else "There is no account yet.")
    if len(accounts) > 1:
        fail("There are several accounts. Name one with --user E-MAIL.")
    account = accounts[0]
    library_id = welcome_user(session, user_id=account.user_id, email=account.email)
    return Viewer(account.user_id, account.email, library_id)


def _use_running_nexus() -> None:
    settings = with_embedded(ensure_secrets(settings_or_exit()))
    assert settings.database_url is not None
    assert settings.redis_url is not None
    os.environ["NEXUS_DATABASE_URL"] = settings.database_url
    os.environ["NEXUS_REDIS_URL"] = settings.redis_url
    os.environ.setdefault("NEXUS_LOG_LEVEL", "error")
    get_settings.cache_clear()

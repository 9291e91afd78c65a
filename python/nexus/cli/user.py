"""`nexus user`: accounts, for the person who runs this server."""

import sys
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from nexus.cli.operator import fail, operator_session
from nexus.db.models import Account
from nexus.schemas.auth import normalize_email
from nexus.services.accounts import create_account, find_account, set_password
from nexus.services.sessions import end_other_sessions, list_sessions

app = typer.Typer(name="user", help="Accounts.", no_args_is_help=True, add_completion=False)


@app.callback()
def _accounts() -> None:
    """Accounts."""


@app.command()
def create(
    email: Annotated[str, typer.Argument(help="The e-mail address to sign in with.")],
) -> None:
    """Create an account, even if sign-up is closed. Asks for the password, or reads it piped."""
    try:
        email = normalize_email(email)
    except ValueError as error:
        fail(f"{email}: {error}.")
    password = _password()
    with operator_session() as session:
        create_account(session, email=email, password=password)
    typer.echo(f"Created the account {email}.")


@app.command()
def password(
    email: Annotated[str, typer.Argument(help="The account's e-mail address.")],
) -> None:
    """Set a new password and sign the account out everywhere. Asks for it, or reads it piped."""
    new = _password()
    with operator_session() as session:
        account = _account(session, email)
        set_password(account, new)
        ended = end_other_sessions(session, user_id=account.user_id, current=None)
    typer.echo(f"Changed the password of {account.email} and ended {_count(ended)}.")


@app.command("sessions")
def list_or_end_sessions(
    email: Annotated[str, typer.Argument(help="The account's e-mail address.")],
    end: Annotated[bool, typer.Option("--end", help="Sign the account out everywhere.")] = False,
) -> None:
    """List where an account is signed in."""
    with operator_session() as session:
        account = _account(session, email)
        found = list_sessions(session, user_id=account.user_id, current=None).sessions
        if end:
            end_other_sessions(session, user_id=account.user_id, current=None)
    for one in found:
        typer.echo(
            f"{one.device:<28} signed in {one.created_at:%Y-%m-%d %H:%M}, "
            f"last seen {one.last_seen_at:%Y-%m-%d %H:%M}"
        )
    if end or not found:
        typer.echo(f"Ended {_count(len(found))}." if end else "Not signed in anywhere.")


def _account(session: Session, email: str) -> Account:
    account = find_account(session, email=email.strip().lower())
    if account is None:
        fail(f"There is no account {email}.")
    return account


def _count(sessions: int) -> str:
    return "1 session" if sessions == 1 else f"{sessions} sessions"


def _password() -> str:
    if sys.stdin.isatty():
        entered: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return entered
    return sys.stdin.readline().rstrip("\n")

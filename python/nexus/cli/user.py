"""`nexus user`: accounts, for the person who runs this server."""

import sys
from typing import Annotated

import typer

from nexus.bff.accounts import create_account
from nexus.cli.operator import fail, operator_session
from nexus.schemas.auth import normalize_email

app = typer.Typer(name="user", help="Accounts.", no_args_is_help=True, add_completion=False)


@app.callback()
def _accounts() -> None:
    """Accounts."""


@app.command()
def create(
    email: Annotated[str, typer.Argument(help="The e-mail address to sign in with.")],
) -> None:
    """Create an account, also where sign-up is closed. Asks for the password, or reads it piped."""
    try:
        email = normalize_email(email)
    except ValueError as error:
        fail(f"{email}: {error}.")
    password = _password()
    with operator_session() as session:
        create_account(session, email=email, password=password)
    typer.echo(f"Created the account {email}.")


def _password() -> str:
    if sys.stdin.isatty():
        answer: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return answer
    return sys.stdin.readline().rstrip("\n")

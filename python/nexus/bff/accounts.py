"""Local accounts: sign-up and sign-in."""

from uuid import UUID, uuid4

from sqlalchemy import exists, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.auth.passwords import (
    check_password_strength,
    hash_password,
    needs_rehash,
    verify_password,
)
from nexus.bff.sessions import SignedIn
from nexus.db.models import Account
from nexus.errors import ConflictError, UnauthenticatedError
from nexus.services.users import welcome_user


def create_account(session: Session, *, email: str, password: str) -> SignedIn:
    """A new account with its user and default library."""
    check_password_strength(password, email=email)
    if find_account(session, email=email) is not None:
        raise _email_taken()
    user_id = uuid4()
    welcome_user(session, user_id=user_id, email=email)
    created = session.scalar(
        insert(Account)
        .values(user_id=user_id, email=email, password_hash=hash_password(password))
        .on_conflict_do_nothing(index_elements=[Account.email])
        .returning(Account.user_id)
    )
    if created is None:
        raise _email_taken()
    return SignedIn(user_id, email)


def check_credentials(session: Session, *, email: str, password: str) -> SignedIn:
    """The account behind e-mail and password. Unknown and wrong look and last alike."""
    account = find_account(session, email=email)
    if not verify_password(account.password_hash if account else None, password):
        raise UnauthenticatedError(
            "E-mail and password do not match an account.", code="E_INVALID_CREDENTIALS"
        )
    assert account is not None
    if needs_rehash(account.password_hash):
        account.password_hash = hash_password(password)
    return SignedIn(account.user_id, account.email)


def find_account(session: Session, *, email: str) -> Account | None:
    return session.scalars(select(Account).where(Account.email == email)).one_or_none()


def email_of(session: Session, *, user_id: UUID) -> str | None:
    return session.scalar(select(Account.email).where(Account.user_id == user_id))


def any_account_exists(session: Session) -> bool:
    return bool(session.scalar(select(exists().select_from(Account))))


def _email_taken() -> ConflictError:
    return ConflictError(
        "E_EMAIL_TAKEN", "There is an account with this e-mail already. Sign in instead."
    )

"""Local accounts: sign-up and sign-in."""

from collections.abc import Sequence
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
from nexus.db.models import Account
from nexus.errors import ConflictError, UnauthenticatedError
from nexus.services.sessions import SignedIn
from nexus.services.users import welcome_user


def create_account(session: Session, *, email: str, password: str) -> SignedIn:
    """Create an account with its user and default library.

    An address that already has one is refused after the same work, in words that do not say so.
    """
    check_password_strength(password, email=email)
    user_id = uuid4()
    welcome_user(session, user_id=user_id, email=email)
    created = session.scalar(
        insert(Account)
        .values(user_id=user_id, email=email, password_hash=hash_password(password))
        .on_conflict_do_nothing(index_elements=[Account.email])
        .returning(Account.user_id)
    )
    if created is None:
        raise ConflictError(
            "E_SIGNUP_REFUSED",
            "No account was created with this e-mail address. If you have one here, sign in; "
            "otherwise use another address.",
        )
    return SignedIn(user_id, email)


def check_credentials(session: Session, *, email: str, password: str) -> SignedIn:
    """The account with this e-mail address and password.

    An unknown address and a wrong password take the same time and raise the same error.
    """
    account = find_account(session, email=email)
    if not verify_password(account.password_hash if account else None, password):
        raise UnauthenticatedError(
            "This e-mail address and password do not match an account.",
            code="E_INVALID_CREDENTIALS",
        )
    assert account is not None
    if needs_rehash(account.password_hash):
        account.password_hash = hash_password(password)
    return SignedIn(account.user_id, account.email)


def change_password(
    session: Session, *, user_id: UUID, old_password: str, new_password: str
) -> None:
    """Replace a password whose owner knows the current one."""
    account = session.get(Account, user_id, with_for_update=True)
    if not verify_password(account.password_hash if account else None, old_password):
        raise UnauthenticatedError(
            "This is not your current password.", code="E_INVALID_CREDENTIALS"
        )
    assert account is not None
    set_password(account, new_password)


def set_password(account: Account, password: str) -> None:
    check_password_strength(password, email=account.email)
    account.password_hash = hash_password(password)


def find_account(session: Session, *, email: str) -> Account | None:
    return session.scalars(select(Account).where(Account.email == email)).one_or_none()


def find_accounts(session: Session, *, email: str | None, at_most: int) -> Sequence[Account]:
    """The account with this address, or all of them, the oldest first."""
    query = select(Account).order_by(Account.created_at).limit(at_most)
    if email is not None:
        query = query.where(Account.email == email.strip().lower())
    return session.scalars(query).all()


def email_of(session: Session, *, user_id: UUID) -> str | None:
    return session.scalar(select(Account.email).where(Account.user_id == user_id))


def any_account_exists(session: Session) -> bool:
    return bool(session.scalar(select(exists().select_from(Account))))

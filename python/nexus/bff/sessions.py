"""Browser sessions: opaque, server-side, found by the hash of their cookie."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

from sqlalchemy import CursorResult, delete, func, select, update
from sqlalchemy.orm import Session

from nexus.auth.opaque import hash_token, new_session_token
from nexus.db.models import Account, UserSession

LIFETIME = timedelta(days=30)
# A session in use is prolonged at most once a day: one write a day, not one a request.
_PROLONG_AFTER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The person a request comes from."""

    user_id: UUID
    email: str


def start_session(session: Session, *, user_id: UUID, replaces: str | None) -> str:
    """A new session token. The one the browser came with ends: sign-in always rotates."""
    if replaces is not None:
        end_session(session, token=replaces)
    token = new_session_token()
    session.add(
        UserSession(token_hash=hash_token(token), user_id=user_id, expires_at=func.now() + LIFETIME)
    )
    session.flush()
    return token


def find_session(session: Session, *, token: str) -> SignedIn | None:
    """Whose session this is, if it still runs."""
    row = session.execute(
        select(
            Account.user_id,
            Account.email,
            (UserSession.expires_at < func.now() + LIFETIME - _PROLONG_AFTER).label("prolong"),
        )
        .join(UserSession, UserSession.user_id == Account.user_id)
        .where(UserSession.token_hash == hash_token(token), UserSession.expires_at > func.now())
    ).one_or_none()
    if row is None:
        return None
    if row.prolong:
        session.execute(
            update(UserSession)
            .where(UserSession.token_hash == hash_token(token))
            .values(expires_at=func.now() + LIFETIME)
        )
    return SignedIn(row.user_id, row.email)


def end_session(session: Session, *, token: str) -> None:
    session.execute(delete(UserSession).where(UserSession.token_hash == hash_token(token)))


def delete_expired_sessions(session: Session) -> int:
    """How many rows went."""
    statement = delete(UserSession).where(UserSession.expires_at < func.now())
    return cast(CursorResult[Any], session.execute(statement)).rowcount

"""Browser sessions: opaque, server-side, found by the hash of their cookie."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

from sqlalchemy import CursorResult, delete, func, select, update
from sqlalchemy.orm import Session

from nexus.auth.opaque import hash_token, new_session_token
from nexus.db.models import Account, UserSession
from nexus.errors import NotFoundError
from nexus.schemas.auth import UserSessionList, UserSessionOut
from nexus.services.device_names import MAX_USER_AGENT, device_name

LIFETIME = timedelta(days=30)
# The last use is recorded at most every ten minutes, to save a write for every request.
_NOTE_AFTER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The person a request comes from."""

    user_id: UUID
    email: str


def start_session(
    session: Session, *, user_id: UUID, replaces: str | None, user_agent: str | None
) -> str:
    """A new session token. The browser's previous one ends: signing in always rotates it."""
    if replaces is not None:
        end_session(session, token=replaces)
    token = new_session_token()
    session.add(
        UserSession(
            token_hash=hash_token(token),
            user_id=user_id,
            user_agent=user_agent[:MAX_USER_AGENT] if user_agent else None,
            expires_at=func.now() + LIFETIME,
        )
    )
    session.flush()
    return token


def find_session(session: Session, *, token: str) -> SignedIn | None:
    """Whose session this is, if it has not expired."""
    row = session.execute(
        select(
            Account.user_id,
            Account.email,
            (UserSession.last_seen_at < func.now() - _NOTE_AFTER).label("unnoted"),
        )
        .join(UserSession, UserSession.user_id == Account.user_id)
        .where(UserSession.token_hash == hash_token(token), UserSession.expires_at > func.now())
    ).one_or_none()
    if row is None:
        return None
    if row.unnoted:
        session.execute(
            update(UserSession)
            .where(UserSession.token_hash == hash_token(token))
            .values(last_seen_at=func.now(), expires_at=func.now() + LIFETIME)
        )
    return SignedIn(row.user_id, row.email)


def end_session(session: Session, *, token: str) -> None:
    session.execute(delete(UserSession).where(UserSession.token_hash == hash_token(token)))


def list_sessions(session: Session, *, user_id: UUID, current: str | None) -> UserSessionList:
    """Where the person is signed in, the most recently used first."""
    rows = session.scalars(
        select(UserSession)
        .where(UserSession.user_id == user_id, UserSession.expires_at > func.now())
        .order_by(UserSession.last_seen_at.desc(), UserSession.id)
    )
    current_hash = hash_token(current) if current else None
    return UserSessionList(
        sessions=[
            UserSessionOut(
                id=row.id,
                device=device_name(row.user_agent),
                created_at=row.created_at,
                last_seen_at=row.last_seen_at,
                current=row.token_hash == current_hash,
            )
            for row in rows
        ]
    )


def end_one_session(session: Session, *, user_id: UUID, session_id: UUID) -> None:
    ended = session.scalar(
        delete(UserSession)
        .where(UserSession.user_id == user_id, UserSession.id == session_id)
        .returning(UserSession.id)
    )
    if ended is None:
        raise NotFoundError("This session does not exist; it may have ended already.")


def end_other_sessions(session: Session, *, user_id: UUID, current: str | None) -> int:
    """Sign the person out everywhere but here. Returns how many sessions ended."""
    statement = delete(UserSession).where(UserSession.user_id == user_id)
    if current is not None:
        statement = statement.where(UserSession.token_hash != hash_token(current))
    return cast(CursorResult[Any], session.execute(statement)).rowcount


def delete_expired_sessions(session: Session) -> int:
    """Returns how many there were."""
    statement = delete(UserSession).where(UserSession.expires_at < func.now())
    return cast(CursorResult[Any], session.execute(statement)).rowcount

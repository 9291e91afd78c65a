"""Personal API tokens: for scripts that act for one person."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session

from nexus.auth.opaque import hash_token, new_api_token
from nexus.db.models import ApiToken, User
from nexus.errors import ConflictError, NotFoundError
from nexus.schemas.auth import ApiTokenList, ApiTokenOut, NewApiToken
from nexus.services.sessions import SignedIn

MAX_TOKENS = 50
VISIBLE_PREFIX = 8
_TOUCH_AFTER = timedelta(minutes=1)


def create_api_token(session: Session, *, user_id: UUID, name: str) -> NewApiToken:
    """Create a token; its secret is in this result and nowhere else."""
    count = session.scalar(select(func.count()).where(ApiToken.user_id == user_id))
    if (count or 0) >= MAX_TOKENS:
        raise ConflictError(
            "E_TOO_MANY_TOKENS",
            f"You already have {MAX_TOKENS} tokens. Revoke one you no longer use, then try again.",
        )
    secret = new_api_token()
    token = ApiToken(
        user_id=user_id,
        name=name,
        prefix=secret[:VISIBLE_PREFIX],
        token_hash=hash_token(secret),
    )
    session.add(token)
    session.flush()
    session.refresh(token)
    return NewApiToken(token=ApiTokenOut.model_validate(token), secret=secret)


def list_api_tokens(session: Session, *, user_id: UUID) -> ApiTokenList:
    query = select(ApiToken).where(ApiToken.user_id == user_id).order_by(ApiToken.created_at.desc())
    return ApiTokenList(
        tokens=[ApiTokenOut.model_validate(token) for token in session.scalars(query)]
    )


def revoke_api_token(session: Session, *, user_id: UUID, token_id: UUID) -> None:
    revoked = session.scalar(
        delete(ApiToken)
        .where(ApiToken.id == token_id, ApiToken.user_id == user_id)
        .returning(ApiToken.id)
    )
    if revoked is None:
        raise NotFoundError("This token does not exist; it may have been revoked already.")


def find_api_token(session: Session, *, secret: str) -> SignedIn | None:
    """Whose token it is; notes that it was used, at most once a minute."""
    row = session.execute(
        select(ApiToken.id, User.id.label("user_id"), User.email)
        .join(User, User.id == ApiToken.user_id)
        .where(ApiToken.token_hash == hash_token(secret))
    ).one_or_none()
    if row is None:
        return None
    stale = or_(ApiToken.last_used_at.is_(None), ApiToken.last_used_at < func.now() - _TOUCH_AFTER)
    session.execute(
        update(ApiToken).where(ApiToken.id == row.id, stale).values(last_used_at=func.now())
    )
    return SignedIn(row.user_id, row.email)

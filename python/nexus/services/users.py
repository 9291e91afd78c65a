"""People: created on first sight, found cheaply from then on."""

from uuid import UUID

from sqlalchemy import Uuid, bindparam, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from nexus.auth.tokens import Identity
from nexus.db.enums import MembershipRole
from nexus.db.models import Library, Membership, User
from nexus.schemas.users import MeOut
from nexus.services.sample_article import give_sample_article
from nexus.services.viewer import KnownViewers, Viewer

DEFAULT_LIBRARY_NAME = "My Library"

# Every request runs this: built once, it costs little next to the round trip.
_DEFAULT_LIBRARY_ID = select(Library.id).where(
    Library.owner_user_id == bindparam("user_id", type_=Uuid()), Library.is_default
)


def viewer_for(session: Session, identity: Identity, known: KnownViewers) -> Viewer:
    """The viewer behind an identity; one indexed read unless the person is new."""
    library_id = _default_library_id(session, identity.user_id)
    if library_id is None:
        library_id = welcome_user(session, user_id=identity.user_id, email=identity.email)
    else:
        known.remember(identity.user_id, library_id)
    return Viewer(identity.user_id, identity.email, library_id)


def welcome_user(session: Session, *, user_id: UUID, email: str | None) -> UUID:
    """Create a new person's library, with something in it to try. Returns the library's id."""
    library_id, is_new = provision_user(session, user_id=user_id, email=email)
    if is_new:
        give_sample_article(session, user_id=user_id)
    return library_id


def provision_user(session: Session, *, user_id: UUID, email: str | None) -> tuple[UUID, bool]:
    """Create user, default library and admin membership; every concurrent caller gets the same.

    Returns the library's id, and whether this call created it.

    Each insert waits for a competing one to commit and then does nothing, so the unique index on
    the default library is what decides the race.
    """
    session.execute(insert(User).values(id=user_id, email=email).on_conflict_do_nothing())
    made = session.scalar(
        insert(Library)
        .values(name=DEFAULT_LIBRARY_NAME, owner_user_id=user_id, is_default=True)
        .on_conflict_do_nothing()
        .returning(Library.id)
    )
    library_id = made or _default_library_id(session, user_id)
    assert library_id is not None
    session.execute(
        insert(Membership)
        .values(library_id=library_id, user_id=user_id, role=MembershipRole.ADMIN)
        .on_conflict_do_nothing()
    )
    return library_id, made is not None


def get_me(session: Session, viewer: Viewer) -> MeOut:
    user = session.get_one(User, viewer.user_id)
    return MeOut(
        id=user.id,
        email=user.email,
        default_library_id=viewer.default_library_id,
        created_at=user.created_at,
    )


def _default_library_id(session: Session, user_id: UUID) -> UUID | None:
    return session.scalar(_DEFAULT_LIBRARY_ID, {"user_id": user_id})

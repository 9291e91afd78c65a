"""Rows for tests, made the way the application makes them where it can."""

from typing import Any
from uuid import UUID, uuid4

from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, MembershipRole, ProcessingStatus
from nexus.db.models import Fragment, Library, LibraryMedia, Media, Membership
from nexus.services.users import provision_user
from nexus.services.viewer import Viewer


def make_user(session: Session, *, email: str | None = None) -> Viewer:
    user_id = uuid4()
    library_id, _ = provision_user(session, user_id=user_id, email=email)
    session.commit()
    return Viewer(user_id, email, library_id)


def make_library(
    session: Session,
    owner: Viewer,
    *,
    name: str = "Shelf",
    members: dict[UUID, MembershipRole] | None = None,
) -> Library:
    library = Library(name=name, owner_user_id=owner.user_id)
    session.add(library)
    session.flush()
    roles = {owner.user_id: MembershipRole.ADMIN, **(members or {})}
    session.add_all(
        Membership(library_id=library.id, user_id=user_id, role=role)
        for user_id, role in roles.items()
    )
    session.commit()
    return library


def make_media(
    session: Session, creator: Viewer, *, library_ids: list[UUID] | None = None, **fields: Any
) -> Media:
    """A saved item in the creator's default library, or in the libraries given."""
    values: dict[str, Any] = {
        "kind": MediaKind.WEB_ARTICLE,
        "title": "An article",
        "requested_url": "https://example.org/article",
        "created_by_user_id": creator.user_id,
        **fields,
    }
    media = Media(**values)
    session.add(media)
    session.flush()
    for library_id in [creator.default_library_id] if library_ids is None else library_ids:
        session.add(LibraryMedia(library_id=library_id, media_id=media.id))
    session.commit()
    return media


def make_article(
    session: Session, creator: Viewer, *, text: str = "Some text.", **fields: Any
) -> Fragment:
    """A readable article with one fragment."""
    fields = {"processing_status": ProcessingStatus.READY_FOR_READING, **fields}
    media = make_media(session, creator, **fields)
    fragment = Fragment(
        media_id=media.id, idx=0, html_sanitized=f"<p>{text}</p>", canonical_text=text
    )
    session.add(fragment)
    session.commit()
    return fragment

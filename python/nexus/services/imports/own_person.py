"""What belongs to no item: libraries and tags, also empty ones, and how the person reads."""

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.models import Import, Library
from nexus.schemas.libraries import LibraryNameRequest
from nexus.schemas.reading import PreferencesRequest
from nexus.services.imports.order import MAX_LIBRARIES, tag_names
from nexus.services.libraries import create_library
from nexus.services.reading import get_preferences, put_preferences
from nexus.services.tags import MAX_TAGS_PER_PERSON, find_tags, make_tags
from nexus.services.viewer import Viewer


def restore_person(session: Session, viewer: Viewer, found: Import, person: object) -> None:
    """What is there already stays as it is."""
    if not isinstance(person, dict):
        return
    _restore_libraries(session, viewer, found, _names(person.get("libraries")))
    _restore_tags(session, viewer, found, _names(person.get("tags")))
    _restore_preferences(session, viewer, person.get("preferences"))


def _restore_libraries(session: Session, viewer: Viewer, found: Import, names: list[str]) -> None:
    own = select(Library.name).where(Library.owner_user_id == viewer.user_id)
    known = set(session.scalars(own))
    for name in names:
        try:
            name = LibraryNameRequest(name=name).name
        except ValidationError:
            continue
        if name not in known and len(known) < MAX_LIBRARIES:
            known.add(name)
            made = create_library(session, viewer, name=name)
            found.made_library_ids = [*found.made_library_ids, made.id]


def _restore_tags(session: Session, viewer: Viewer, found: Import, names: list[str]) -> None:
    names = tag_names(names)[: MAX_TAGS_PER_PERSON // 2]
    known = set(find_tags(session, user_id=viewer.user_id, names=names).values())
    made = set(make_tags(session, user_id=viewer.user_id, names=names)) - known
    found.made_tag_ids = [*found.made_tag_ids, *sorted(made)]


def _restore_preferences(session: Session, viewer: Viewer, chosen: object) -> None:
    if not isinstance(chosen, dict) or get_preferences(session, viewer) is not None:
        return
    try:
        request = PreferencesRequest.model_validate(chosen)
    except ValidationError:
        return
    put_preferences(session, viewer, request=request)


def _names(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []

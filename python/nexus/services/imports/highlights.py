"""Highlights an import brought: how many found their place, and taking them back."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, delete, exists, func, select
from sqlalchemy.orm import Session

from nexus.db.enums import UnplacedState
from nexus.db.models import Annotation, Fragment, Highlight, UnplacedHighlight


class Unplaced(NamedTuple):
    waiting: int = 0
    not_found: int = 0


def count_unplaced(session: Session, import_ids: Sequence[UUID]) -> dict[UUID, Unplaced]:
    """How many highlights of each import have no place yet, or none in the text."""
    state = UnplacedHighlight.state
    query = (
        select(
            UnplacedHighlight.import_id,
            func.count().filter(state == UnplacedState.WAITING),
            func.count().filter(state == UnplacedState.NOT_FOUND),
        )
        .where(UnplacedHighlight.import_id.in_(import_ids), UnplacedHighlight.deleted_at.is_(None))
        .group_by(UnplacedHighlight.import_id)
    )
    return {row[0]: Unplaced(row[1], row[2]) for row in session.execute(query) if row[0]}


def items_with_own_highlights(
    session: Session, *, user_id: UUID, media_ids: Sequence[UUID]
) -> set[UUID]:
    """Items with a highlight that the person made, or changed since it was imported."""
    query = (
        select(Fragment.media_id)
        .join(Highlight, Highlight.fragment_id == Fragment.id)
        .where(
            Fragment.media_id.in_(media_ids),
            Highlight.user_id == user_id,
            ~exists().where(_is_as_imported()),
        )
    )
    return set(session.scalars(query))


def take_back_highlights(session: Session, *, import_id: UUID, media_ids: Sequence[UUID]) -> None:
    """Those the import brought go, with the highlights they became, if these are unchanged."""
    of_import = (UnplacedHighlight.import_id == import_id) & UnplacedHighlight.media_id.in_(
        media_ids
    )
    session.execute(
        delete(Highlight)
        .where(exists().where(of_import, _is_as_imported()))
        .execution_options(synchronize_session=False)
    )
    session.execute(
        delete(UnplacedHighlight).where(of_import).execution_options(synchronize_session=False)
    )


def _is_as_imported() -> ColumnElement[bool]:
    """The highlight and its note are as they were when they found their place."""
    changed_note = exists().where(
        Annotation.highlight_id == Highlight.id,
        Annotation.updated_at > UnplacedHighlight.tried_at,
    )
    return (
        (UnplacedHighlight.highlight_id == Highlight.id)
        & UnplacedHighlight.import_id.is_not(None)
        & (Highlight.updated_at <= UnplacedHighlight.tried_at)
        & ~changed_note
    )

"""Imports as responses."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.enums import ImportOutcome, ProcessingStatus
from nexus.db.models import Import, ImportRecord, Media
from nexus.errors import ImportNotFoundError
from nexus.schemas.imports import ImportCounts, ImportList, ImportOut, ImportSample
from nexus.services.extractors import extractable_kinds
from nexus.services.imports.highlights import Unplaced, count_unplaced
from nexus.services.viewer import Viewer

_MOST_LISTED = 50
_TAKEN = (ImportOutcome.ADDED, ImportOutcome.EXISTING)


class _Pages(NamedTuple):
    waiting: int = 0
    failed: int = 0


def get_import(session: Session, viewer: Viewer, *, import_id: UUID) -> ImportOut:
    return import_out(session, user_id=viewer.user_id, import_id=import_id)


def import_out(session: Session, *, user_id: UUID, import_id: UUID) -> ImportOut:
    query = select(Import).where(Import.id == import_id, Import.user_id == user_id)
    found = session.scalars(query).one_or_none()
    if found is None:
        raise ImportNotFoundError
    return _out(session, [found])[0]


def list_imports(session: Session, viewer: Viewer) -> ImportList:
    """The person's last imports, the newest first."""
    query = (
        select(Import)
        .where(Import.user_id == viewer.user_id)
        .order_by(Import.created_at.desc(), Import.id)
        .limit(_MOST_LISTED)
    )
    return ImportList(imports=_out(session, session.scalars(query).all()))


def _out(session: Session, found: Sequence[Import]) -> list[ImportOut]:
    ids = [one.id for one in found]
    pages, unplaced = _pages(session, ids), count_unplaced(session, ids)
    return [
        _import_out(one, pages.get(one.id, _Pages()), unplaced.get(one.id, Unplaced()))
        for one in found
    ]


def _pages(session: Session, import_ids: Sequence[UUID]) -> dict[UUID, _Pages]:
    """How many pages of each import are still to be fetched, and how many could not be."""
    failed = Media.processing_status == ProcessingStatus.FAILED
    query = (
        select(
            ImportRecord.import_id,
            func.count().filter(~failed),
            func.count().filter(failed),
        )
        .join(Media, Media.id == ImportRecord.media_id)
        .where(
            ImportRecord.import_id.in_(import_ids),
            ImportRecord.outcome.in_(_TAKEN),
            # A video is kept as it is.
            Media.kind.in_(extractable_kinds()),
            Media.processing_status.in_(
                [ProcessingStatus.PENDING, ProcessingStatus.EXTRACTING, ProcessingStatus.FAILED]
            ),
        )
        .group_by(ImportRecord.import_id)
    )
    return {row[0]: _Pages(row[1], row[2]) for row in session.execute(query)}


def _import_out(found: Import, pages: _Pages, unplaced: Unplaced) -> ImportOut:
    return ImportOut(
        id=found.id,
        name=found.name,
        format=found.format,
        format_label=found.format_label,
        state=found.state,
        unfinished=found.unfinished,
        counts=ImportCounts(
            items=found.items,
            highlights=found.highlights,
            skipped=found.skipped,
            items_done=max(0, found.items_done - pages.failed),
            items_failed=found.items_failed + pages.failed,
            items_waiting=pages.waiting,
            # What an earlier import brought already counts as placed.
            highlights_placed=max(0, found.highlights_done - unplaced.waiting - unplaced.not_found),
            highlights_waiting=unplaced.waiting,
            highlights_not_found=unplaced.not_found,
        ),
        samples=[ImportSample.model_validate(sample) for sample in found.samples],
        skipped_reasons=found.skipped_reasons,
        library_id=found.library_id,
        tags=found.tags,
        created_at=found.created_at,
        updated_at=found.updated_at,
        finished_at=found.finished_at,
    )

"""Unfinished items that nobody works on: forgotten by the queue, or left by a dead worker."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Media
from nexus.extractors.failures import FailureCode
from nexus.extractors.kinds import FILE_KINDS
from nexus.services.media_lifecycle import LEASE, interrupt

FORGOTTEN_AFTER = timedelta(seconds=30)


def take_forgotten(session: Session, *, kinds: Sequence[MediaKind], limit: int) -> list[Media]:
    """Pending items that nobody took for a while, or that may be tried again now.

    They are touched, so that another sweeper leaves them alone for a while: `updated_at` is when
    an item was last enqueued.
    """
    now = func.clock_timestamp()
    forgotten = session.scalars(
        select(Media)
        .where(
            Media.processing_status == ProcessingStatus.PENDING,
            Media.kind.in_(kinds),
            # There is nothing to extract before the file has arrived.
            or_(Media.kind.not_in(FILE_KINDS), Media.file_sha256.is_not(None)),
            Media.is_due(),
            or_(Media.updated_at < now - FORGOTTEN_AFTER, Media.not_before.is_not(None)),
        )
        .order_by(Media.updated_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    for media in forgotten:
        media.updated_at = now
        media.not_before = None
    session.flush()
    return list(forgotten)


def release_expired(session: Session, *, limit: int) -> list[Media]:
    """Items whose worker went silent: back to pending, or failed if that keeps happening."""
    expired = session.scalars(
        select(Media)
        .where(
            Media.processing_status == ProcessingStatus.EXTRACTING,
            Media.lease_expires_at < func.clock_timestamp(),
        )
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    released = []
    for media in expired:
        message = f"Reading this page was cut off {media.interruptions + 1} times."
        if media.kind in FILE_KINDS:
            # Late ones count more than once.
            message = "Reading this file was cut off again and again."
        if interrupt(
            session,
            media.id,
            attempt=media.processing_attempts,
            error_code=FailureCode.JOB_TIMEOUT,
            error_message=f"{message} It may be too heavy.",
            worked=_worked(media),
        ):
            released.append(media)
    return released


def _worked(media: Media) -> timedelta:
    """How long its worker was heard of: from then on it did nothing, or the machine slept."""
    if media.processing_started_at is None or media.lease_expires_at is None:
        return timedelta()
    return media.lease_expires_at - LEASE - media.processing_started_at

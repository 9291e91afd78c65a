"""The sweeper enqueues what got lost, and only that, however long the queue is."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import BackgroundSite, Media
from nexus.db.task_session import task_session
from nexus.queues import INGEST_QUEUE
from nexus.services import media_lifecycle
from nexus.services.extractors import maybe_enqueue_extraction
from nexus.services.sweeper import sweep_unfinished
from nexus.services.viewer import Viewer
from tests.factories import make_media, make_user
from tests.queues import forget_queued, queued_ids, redis_of_tests


@pytest.fixture
def waiting(session: Session) -> list[UUID]:
    """Articles three people saved an hour, half an hour and a minute ago, all in the queue."""
    unfinished = Media.processing_status.in_(
        [ProcessingStatus.PENDING, ProcessingStatus.EXTRACTING]
    )
    session.execute(update(Media).where(unfinished).values(processing_status="ready"))
    # Pages of an import would have messages, too.
    session.execute(delete(BackgroundSite))
    forget_queued()
    return [saved(session, make_user(session), minutes_ago=minutes) for minutes in (60, 30, 1)]


def saved(session: Session, viewer: Viewer, *, minutes_ago: float) -> UUID:
    url = f"https://example.org/{uuid4()}"
    media = make_media(session, viewer, kind=MediaKind.WEB_ARTICLE, requested_url=url)
    then = func.clock_timestamp() - timedelta(minutes=minutes_ago)
    session.execute(update(Media).where(Media.id == media.id).values(updated_at=then))
    session.commit()
    assert maybe_enqueue_extraction(media.kind, media.id, None)
    return media.id


def sweep() -> None:
    with task_session() as session:
        sweep_unfinished(session)


def queued() -> list[UUID]:
    return sorted(map(UUID, queued_ids()))


def test_what_still_waits_in_the_queue_is_left_there(waiting: list[UUID]) -> None:
    sweep()
    assert queued() == sorted(waiting)


def test_what_a_flushed_queue_forgot_comes_back_once(waiting: list[UUID]) -> None:
    forget_queued()
    sweep()
    sweep()
    assert queued() == sorted(waiting)


def test_what_a_worker_reads_is_left_to_it(session: Session, waiting: list[UUID]) -> None:
    with task_session() as working:
        assert media_lifecycle.worker_start_attempt(working, waiting[0])
    sweep()
    query = select(Media.processing_status, Media.processing_attempts)
    assert session.execute(query.where(Media.id == waiting[0])).one() == (
        ProcessingStatus.EXTRACTING,
        1,
    )


def test_new_work_does_not_hide_what_was_forgotten(session: Session, waiting: list[UUID]) -> None:
    forget_queued()
    newest = saved(session, make_user(session), minutes_ago=0)
    sweep()
    assert queued() == sorted([*waiting, newest])


def test_a_single_lost_message_is_replaced(waiting: list[UUID]) -> None:
    with redis_of_tests() as client:
        client.rpop(INGEST_QUEUE)
    sweep()
    assert queued() == sorted(waiting)
    assert queued_ids()[0] == str(waiting[0]), "it waits behind the others"


def test_a_message_of_an_article_that_is_gone_wakes_a_worker_too(waiting: list[UUID]) -> None:
    forget_queued()
    assert maybe_enqueue_extraction(MediaKind.WEB_ARTICLE, uuid4(), None)
    sweep()
    assert len(queued()) == len(waiting)


@pytest.mark.parametrize("message", [b"no message", b"{}", b'{"body": "e30="}'])
def test_messages_nobody_can_read_hold_nothing_back_for_long(
    message: bytes, waiting: list[UUID]
) -> None:
    with redis_of_tests() as client:
        client.delete(INGEST_QUEUE)
        client.rpush(INGEST_QUEUE, message)
    sweep()
    with redis_of_tests() as client:
        client.rpop(INGEST_QUEUE)
    assert len(queued()) == len(waiting) - 1
    sweep()
    assert queued() == sorted(waiting)


def test_articles_beyond_a_persons_share_are_not_forgotten(
    session: Session, waiting: list[UUID]
) -> None:
    viewer = make_user(session)
    for _ in range(3):
        saved(session, viewer, minutes_ago=90)
    forget_queued()
    sweep()
    sweep()
    assert len(queued()) == len(waiting) + 1, "one of them at a time is enough"

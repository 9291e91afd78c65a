"""People take turns in the queue, however much each of them has saved."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Select, delete, func, insert, select, text, update
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus
from nexus.db.models import BackgroundSite, Media, User
from nexus.db.task_session import task_session
from nexus.errors import ApiError
from nexus.services import ingest_turns, media_lifecycle
from nexus.services.ingest_queue import missing_messages, wake_another
from nexus.services.ingest_turns import count_startable, start_next
from nexus.services.media_create import create_from_url
from nexus.services.media_retry import retry
from nexus.services.viewer import Viewer
from tests.factories import make_user
from tests.live import somebody_waits, wait_for
from tests.queues import forget_queued, queued_ids


@pytest.fixture(autouse=True)
def nothing_waits(session: Session) -> Iterator[None]:
    def finish_all() -> None:
        unfinished = Media.processing_status.in_(
            [ProcessingStatus.PENDING, ProcessingStatus.EXTRACTING]
        )
        session.execute(update(Media).where(unfinished).values(processing_status="ready"))
        session.execute(delete(BackgroundSite))
        session.commit()
        forget_queued()

    finish_all()
    yield
    finish_all()


@pytest.fixture
def share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers, as usual: one article at a time for each person."""
    monkeypatch.setattr(get_settings(), "worker_concurrency", 2)


def saved(session: Session, viewer: Viewer, count: int = 1) -> list[UUID]:
    ids = []
    for _ in range(count):
        url = f"https://example.org/{uuid4()}"
        made = create_from_url(session, viewer, kind=MediaKind.WEB_ARTICLE, url=url)
        ids.append(made.media_id)
        # Each at a time of its own, by which their order is known.
        session.commit()
    return ids


def taken() -> UUID | None:
    """What the next worker that is woken takes."""
    with task_session() as session:
        media = start_next(session)
        return None if media is None else media.id


def finish(media_id: UUID) -> None:
    with task_session() as session:
        assert media_lifecycle.mark_ready_for_reading(session, media_id)


@pytest.mark.usefixtures("share")
def test_300_saves_delay_anothers_by_one_article(session: Session) -> None:
    hoarder, other = make_user(session), make_user(session)
    hoard = saved(session, hoarder, 300)
    first = taken()
    assert first == hoard[0], "what waited longest comes first"
    (wanted,) = saved(session, other)
    assert taken() == wanted, "the second place was left for others"
    assert taken() is None, "both have their share"
    finish(wanted)
    assert taken() is None, "one place stays free for others"
    finish(first)
    assert taken() == hoard[1]


@pytest.mark.usefixtures("share")
def test_two_workers_at_once_do_not_both_take_the_last_place(session: Session) -> None:
    person, _other = make_user(session), make_user(session)
    saved(session, person, 2)
    with ThreadPoolExecutor(1) as pool, task_session() as first:
        assert start_next(first) is not None
        second = pool.submit(taken)
        wait_for(lambda: second.done() or somebody_waits(session), what="the second choice")
    assert second.result() is None


def test_with_a_single_worker_people_alternate(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(get_settings(), "worker_concurrency", 1)
    one, two = make_user(session), make_user(session)
    ones, twos = saved(session, one, 3), saved(session, two, 3)
    order = []
    for _ in range(6):
        media_id = taken()
        assert media_id is not None
        order.append(media_id)
        finish(media_id)
    assert order == [ones[0], twos[0], ones[1], twos[1], ones[2], twos[2]]


@pytest.mark.usefixtures("share")
def test_a_person_alone_has_all_workers(session: Session) -> None:
    person = make_user(session)
    saved(session, person, 3)
    others = session.scalars(select(User.id).where(User.id != person.user_id)).all()
    # Rolled back: the other accounts of these tests stay.
    session.execute(text("SET LOCAL session_replication_role = replica"))
    session.execute(delete(User).where(User.id.in_(others)))
    assert count_startable(session, at_most=10) == 3
    assert all(start_next(session) for _ in range(3))
    session.rollback()


@pytest.mark.usefixtures("share")
def test_a_worker_that_fell_silent_does_not_hold_the_place(session: Session) -> None:
    person, _other = make_user(session), make_user(session)
    saved(session, person, 2)
    first = taken()
    assert taken() is None
    past = func.clock_timestamp() - timedelta(seconds=1)
    session.execute(update(Media).where(Media.id == first).values(lease_expires_at=past))
    session.commit()
    assert taken() is not None


def test_an_interrupted_article_has_no_turn_before_its_time(session: Session) -> None:
    person = make_user(session)
    poisonous, neighbour = saved(session, person, 2)
    assert taken() == poisonous
    with task_session() as other:
        later = timedelta(hours=1)
        media_lifecycle.return_to_pending(other, poisonous, attempt=1, wait=later)
    assert count_startable(session, at_most=10) == 1
    assert taken() == neighbour, "nobody waits for it"
    finish(neighbour)
    assert taken() is None
    past = func.clock_timestamp() - timedelta(seconds=1)
    session.execute(update(Media).where(Media.id == poisonous).values(not_before=past))
    session.commit()
    assert taken() == poisonous


@pytest.mark.usefixtures("share")
def test_an_article_in_a_long_row_of_anothers_moves_to_the_shorter_one(session: Session) -> None:
    hoarder, other = make_user(session), make_user(session)
    hoard = saved(session, hoarder, 5)
    last = session.get_one(Media, hoard[-1])
    assert last.requested_url
    create_from_url(session, other, kind=MediaKind.WEB_ARTICLE, url=last.requested_url)
    session.commit()
    assert {taken(), taken()} == {hoard[0], hoard[-1]}


def test_nobody_pulls_anothers_article_into_a_longer_row(session: Session) -> None:
    hoarder, other = make_user(session), make_user(session)
    (wanted,) = saved(session, other)
    saved(session, hoarder, 3)
    media = session.get_one(Media, wanted)
    assert media.requested_url
    create_from_url(session, hoarder, kind=MediaKind.WEB_ARTICLE, url=media.requested_url)
    session.commit()
    session.refresh(media)
    assert media.queued_for_user_id == other.user_id


@pytest.mark.usefixtures("share")
def test_an_article_that_ended_wakes_a_worker_for_the_next(session: Session) -> None:
    person = make_user(session)
    ids = saved(session, person, 3)
    # Its messages came to nothing while the person's share was used up.
    first = taken()
    forget_queued()
    assert missing_messages(session, at_most=9) == 0
    wake_another(session)
    assert queued_ids() == []
    assert first
    finish(first)
    with task_session() as after:
        wake_another(after)
    assert queued_ids() == [str(ids[1])]
    with task_session() as after:
        wake_another(after)
    assert len(queued_ids()) == 1, "one message is enough"


def test_only_so_many_articles_of_one_person_wait(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(get_settings(), "waiting_per_person", 3)
    person = make_user(session)
    ids = saved(session, person, 3)
    with pytest.raises(ApiError) as refused:
        saved(session, person)
    session.rollback()
    error = refused.value
    assert (error.status, error.code) == (429, "E_QUOTA_EXCEEDED")
    assert error.headers["Retry-After"] == "60"
    saved(session, make_user(session))
    failed = session.get_one(Media, ids[0])
    media_lifecycle.mark_failed(session, failed.id, FailureStage.EXTRACT, "E_X", "no")
    session.commit()
    saved(session, person)
    with pytest.raises(ApiError):
        retry(session, person, media_id=failed.id)
    session.rollback()
    session.refresh(failed)
    assert failed.processing_status is ProcessingStatus.FAILED


def test_the_choice_looks_at_few_of_10_000_waiting(session: Session) -> None:
    people = [make_user(session) for _ in range(10)]
    rows = [
        {
            "kind": MediaKind.WEB_ARTICLE,
            "title": "One of many",
            "requested_url": f"https://example.org/{number}",
            "created_by_user_id": people[number % 10].user_id,
            "queued_for_user_id": people[number % 10].user_id,
        }
        for number in range(10_000)
    ]
    session.execute(insert(Media), rows)
    session.commit()
    session.execute(text("ANALYZE media"))
    session.commit()
    try:
        assert taken()
        chosen = ingest_turns._waiting_longest(nobody=False, locked=True)
        read = _rows_read(session, chosen, person=people[0].user_id)
        assert set(read) == {"ix_media_waiting"}
        assert read["ix_media_waiting"] <= 20
    finally:
        session.rollback()
        session.execute(delete(Media).where(Media.title == "One of many"))
        session.commit()


def _rows_read(session: Session, query: Select[Media], **values: object) -> dict[str, float]:
    """The rows of `media` that a statement looks at, by the index it takes them from."""
    dialect = session.connection().dialect
    compiled = query.params(**values).compile(
        dialect=dialect, compile_kwargs={"literal_binds": True}
    )
    explain = "EXPLAIN (ANALYZE, FORMAT JSON) " + str(compiled).replace("%", "%%")
    [(plan,)] = session.connection().exec_driver_sql(explain)
    read: dict[str, float] = {}

    def look(node: dict[str, Any]) -> None:
        if "Relation Name" in node:
            name = node.get("Index Name", "no index")
            looked_at = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
            read[name] = read.get(name, 0) + looked_at * node["Actual Loops"]
        for below in node.get("Plans", ()):
            look(below)

    look(plan[0]["Plan"])
    return read

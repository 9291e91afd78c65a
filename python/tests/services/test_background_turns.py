"""Imported pages are fetched behind all others: site by site, person by person."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import BackgroundSite, Media
from nexus.db.task_session import task_session
from nexus.importers.records import ImportedItem
from nexus.services import media_lifecycle
from nexus.services.background_turns import PAUSE, rest_site
from nexus.services.ingest_turns import count_startable, count_waiting
from nexus.services.media_create import create_from_url
from nexus.services.viewer import Viewer
from tests.factories import make_user
from tests.imported import imported, records_of
from tests.queues import forget_queued
from tests.services.test_ingest_turns import finish, saved, taken


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


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_settings(), "worker_concurrency", 3)


def bring(session: Session, viewer: Viewer, *sites: str) -> list[UUID]:
    """Pages of these sites, one after the other."""
    lines = [ImportedItem(1, f"https://{site}/{uuid4()}") for site in sites]
    import_id = imported(session, viewer, lines)
    forget_queued()
    ids = [record.media_id for record in records_of(session, import_id)]
    assert all(ids)
    return ids  # type: ignore[return-value]


def let_sites_rest(session: Session) -> None:
    """As if the pause were over."""
    session.execute(update(BackgroundSite).values(due_at=func.now() - timedelta(seconds=1)))
    session.commit()


def test_a_save_comes_before_all_imported_pages(session: Session) -> None:
    person = make_user(session)
    pages = bring(session, person, "one.test", "two.test")
    (wanted,) = saved(session, person)
    assert taken() == wanted
    assert taken() in pages


def test_one_worker_is_left_for_saves(session: Session) -> None:
    person, other = make_user(session), make_user(session)
    bring(session, person, *(f"{number}.test" for number in range(5)))
    assert count_startable(session, at_most=9) == 2
    assert taken()
    assert taken()
    assert taken() is None
    (wanted,) = saved(session, other)
    assert taken() == wanted


def test_a_single_worker_takes_them_too(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_settings(), "worker_concurrency", 1)
    (page,) = bring(session, make_user(session), "one.test")
    assert taken() == page


def test_a_site_is_asked_for_one_page_at_a_time_with_a_pause(session: Session) -> None:
    person = make_user(session)
    first, second = bring(session, person, "busy.test", "www.busy.test")
    assert taken() == first
    let_sites_rest(session)
    assert taken() is None, "one at a time"
    finish(first)
    with task_session() as after:
        rest_site(after, site="busy.test")
    assert taken() is None, "a moment's rest"
    due = session.scalar(select(BackgroundSite.due_at).where(BackgroundSite.site == "busy.test"))
    assert due is not None
    assert due - session.scalar(select(func.now())) <= PAUSE  # type: ignore[operator]
    let_sites_rest(session)
    assert taken() == second


def test_people_take_turns(session: Session) -> None:
    hoarder, other = make_user(session), make_user(session)
    bring(session, hoarder, *(f"{number}.hoard.test" for number in range(20)))
    (wanted,) = bring(session, other, "small.test")
    first = taken()
    second = taken()
    assert wanted in {first, second}


def test_a_page_that_somebody_waits_for_comes_forward(session: Session) -> None:
    importer, reader = make_user(session), make_user(session)
    pages = bring(session, importer, "one.test", "two.test", "three.test")
    last = session.get_one(Media, pages[-1])
    assert last.requested_url
    create_from_url(session, reader, kind=MediaKind.WEB_ARTICLE, url=last.requested_url)
    session.commit()
    assert last.background_site is None
    assert taken() == pages[-1]


def test_an_interrupted_page_waits_in_the_background_again(session: Session) -> None:
    (page,) = bring(session, make_user(session), "one.test")
    assert taken() == page
    let_sites_rest(session)
    assert taken() is None
    with task_session() as other:
        media_lifecycle.return_to_pending(other, page, attempt=1, wait=timedelta(hours=1))
    assert taken() is None, "not before its time"
    session.execute(update(Media).where(Media.id == page).values(not_before=None))
    session.commit()
    let_sites_rest(session)
    assert taken() == page


def test_a_site_without_pages_is_forgotten(session: Session) -> None:
    (page,) = bring(session, make_user(session), "one.test")
    session.execute(update(Media).where(Media.id == page).values(background_site=None))
    session.commit()
    finish_one = taken()
    assert finish_one == page
    assert taken() is None
    session.expire_all()
    sites = session.scalars(select(BackgroundSite.site)).all()
    assert "one.test" not in sites


def test_imported_pages_do_not_count_as_waiting_saves(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(get_settings(), "waiting_per_person", 2)
    person = make_user(session)
    bring(session, person, *(f"{number}.test" for number in range(10)))
    assert count_waiting(session, user_id=person.user_id, at_most=99) == 0
    saved(session, person, 2)

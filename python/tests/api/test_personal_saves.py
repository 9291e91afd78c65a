"""One row, several people: each finds it by their own addresses and sees only their own save."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from nexus.db.enums import MembershipRole, ProcessingStatus
from nexus.db.models import LibraryMedia, Media, MediaAlias
from nexus.db.task_session import task_session
from nexus.extractors.interface import Document, FragmentText, Job
from nexus.html.canonicalize import canonicalize
from nexus.html.sanitize import sanitize_html
from nexus.services.document_store import Outcome, store_document
from nexus.services.ingest import claim
from nexus.services.media_lifecycle import worker_start_attempt
from nexus.services.viewer import Viewer
from tests.factories import make_library, make_media, make_user
from tests.live import LiveNexus
from tests.media_states import media_in, row

LONG_AGO = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
TOKEN = "tok3n-of-somebody-else"


def fresh_page() -> str:
    return f"https://example.org/{uuid4().hex}"


def save(api: httpx.Client, url: str, *, kind: str = "web_article") -> httpx.Response:
    return api.post("/media/url", json={"kind": kind, "url": url})


def saved_id(api: httpx.Client, url: str) -> UUID:
    return UUID(save(api, url).json()["data"]["media_id"])


def ingest(
    session: Session, media_id: UUID, *, final_url: str, actor: Viewer | None = None
) -> Outcome:
    """What a worker does once the page is fetched and cleaned."""
    html = sanitize_html("<p>Tides follow the moon.</p>", final_url)
    document = Document((FragmentText(html, canonicalize(html)),), "On tides", final_url)
    worker_start_attempt(session, media_id)
    media = session.get_one(Media, media_id, populate_existing=True)
    outcome = store_document(
        session,
        Job(media_id, media.processing_attempts, media.kind),
        document,
        canonical_url=final_url,
        actor_user_id=actor.user_id if actor else None,
    )
    session.commit()
    return outcome


@pytest.fixture
def viewer(session: Session) -> Viewer:
    return make_user(session)


VARIANTS = [
    "{page}",
    "{page}?utm_source=news&utm_medium=mail",
    "{page}?fbclid=abc#part",
    "{plain}",
    "{plain}?gclid=1",
]


@pytest.mark.parametrize(
    "final", ["{page}", "{page}?utm_source=x", "{page}/", "https://b.org/{id}"]
)
def test_every_form_of_an_address_finds_the_item_once_it_is_read(
    final: str, nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    page = fresh_page()
    final = final.format(page=page, id=uuid4().hex)
    forms = [each.format(page=page, plain=page.replace("https", "http")) for each in VARIANTS]
    with nexus.api(viewer.user_id) as api:
        media_id = saved_id(api, forms[1])
        assert ingest(session, media_id, final_url=final) == "stored"
        answers = [save(api, form) for form in [*forms, final]]
        listed = api.get("/media").json()["data"]["media"]
    assert [answer.status_code for answer in answers] == [200] * 6
    found = {answer.json()["data"]["media_id"] for answer in answers}
    assert found == {str(media_id)}
    assert [item["id"] for item in listed] == [str(media_id)]
    assert all(not answer.json()["data"]["enqueued"] for answer in answers), "a second fetch"


def test_the_address_that_is_fetched_has_no_tracking(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    page = fresh_page()
    with nexus.api(viewer.user_id) as api:
        media_id = saved_id(api, f"{page}?utm_source=news&page=2#top")
    claimed = claim(task_session, media_id)
    assert claimed is not None
    assert claimed.job.url == f"{page}?page=2"


def test_a_page_served_over_https_is_found_by_its_http_address_by_anybody(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    page, other = fresh_page(), make_user(session)
    with nexus.api(viewer.user_id) as api:
        media_id = saved_id(api, page)
        ingest(session, media_id, final_url=page)
    with nexus.api(other.user_id) as api:
        assert saved_id(api, page.replace("https", "http")) == media_id


def test_where_an_address_led_one_person_leads_nobody_else(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    """What `/latest` redirects to changes, and what it was is that person's business."""
    latest, other = fresh_page(), make_user(session)
    with nexus.api(viewer.user_id) as api:
        media_id = saved_id(api, latest)
        ingest(session, media_id, final_url=fresh_page())
        assert saved_id(api, latest) == media_id
    with nexus.api(other.user_id) as api:
        answer = save(api, latest).json()["data"]
    assert answer["media_id"] != str(media_id)
    assert (answer["created"], answer["enqueued"]) == (True, True)


def test_addresses_follow_a_merge(nexus: LiveNexus, viewer: Viewer, session: Session) -> None:
    page, short = fresh_page(), fresh_page()
    other = make_user(session)
    with nexus.api(other.user_id) as api:
        winner = saved_id(api, page)
        ingest(session, winner, final_url=page)
    with nexus.api(viewer.user_id) as api:
        loser = UUID(api.post("/media/from_url", json={"url": short}).json()["data"]["media_id"])
        assert ingest(session, loser, final_url=page, actor=viewer) == "merged"
        assert saved_id(api, short) == winner
        shown = api.get(f"/media/{winner}").json()["data"]
    assert shown["requested_url"] == short


@pytest.mark.parametrize("path", ["/media/url", "/media/from_url"])
def test_saving_a_failed_address_again_leaves_one_row(
    path: str, nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    page = fresh_page()
    with nexus.api(viewer.user_id) as api:
        first = api.post("/media/from_url", json={"url": page}).json()["data"]["media_id"]
        _fail(session, UUID(first))
        body = {"url": page, **({"kind": "web_article"} if path == "/media/url" else {})}
        again = api.post(path, json=body).json()["data"]["media_id"]
        listed = api.get("/media").json()["data"]["media"]
        assert api.get(f"/media/{first}").json()["data"]["id"] == again
    assert [(item["id"], item["processing_status"]) for item in listed] == [(again, "pending")]


def _fail(session: Session, media_id: UUID) -> None:
    values = {"failure_stage": "extract", "last_error_code": "E_INGEST_FAILED"}
    session.execute(
        update(Media)
        .where(Media.id == media_id)
        .values(processing_status=ProcessingStatus.FAILED, processing_attempts=3, **values)
    )
    session.commit()


# What one person sees of an item that another saved first.


def age(session: Session, media_id: UUID, *, owner: Viewer) -> None:
    """As if everything so far had happened long ago."""
    dates = ("created_at", "updated_at", "processing_started_at", "processing_completed_at")
    session.execute(
        update(Media).where(Media.id == media_id).values(dict.fromkeys(dates, LONG_AGO))
    )
    session.execute(
        update(LibraryMedia)
        .where(
            LibraryMedia.media_id == media_id, LibraryMedia.library_id == owner.default_library_id
        )
        .values(created_at=LONG_AGO)
    )
    session.commit()


def everything(api: httpx.Client, media_id: UUID) -> dict[str, Any]:
    """All that can be read of an item, by route."""
    paths = ("", "/fragments", "/libraries", "/highlights", "/position")
    routes = [
        "/media",
        "/libraries",
        "/highlights",
        *(f"/media/{media_id}{path}" for path in paths),
    ]
    return {route: api.get(route).json() for route in routes}


@pytest.mark.parametrize(
    ("kind", "read"), [("web_article", True), ("web_article", False), ("video", False)]
)
def test_nothing_of_another_persons_save_is_told(
    kind: str, read: bool, nexus: LiveNexus, session: Session
) -> None:
    first, second = make_user(session), make_user(session)
    page = fresh_page()
    with nexus.api(first.user_id) as api:
        body = {"kind": kind, "url": f"{page}?utm_source={TOKEN}"}
        media_id = UUID(api.post("/media/url", json=body).json()["data"]["media_id"])
    if read:
        ingest(session, media_id, final_url=page)
    age(session, media_id, owner=first)
    before = datetime.now(UTC) - timedelta(seconds=1)
    with nexus.api(second.user_id) as api:
        answer = api.post("/media/url", json={"kind": kind, "url": page})
        assert answer.status_code == 201
        assert answer.json()["data"]["created"] is True
        told = everything(api, media_id)
    text = json.dumps(told)
    assert str(media_id) in text
    assert TOKEN not in text
    assert str(first.user_id) not in text
    for moment in _moments(told):
        assert moment >= before, "a date from before this person's save"
    shown = told[f"/media/{media_id}"]["data"]
    assert shown["requested_url"] == page
    with nexus.api(first.user_id) as api:
        own = api.get(f"/media/{media_id}").json()["data"]
    assert TOKEN in own["requested_url"]
    assert datetime.fromisoformat(own["saved_at"]) == LONG_AGO


def _moments(value: object) -> list[datetime]:
    if isinstance(value, dict):
        return [moment for each in value.values() for moment in _moments(each)]
    if isinstance(value, list):
        return [moment for each in value for moment in _moments(each)]
    if isinstance(value, str) and value[:4].isdigit() and value[4:5] == "-" and "T" in value:
        return [datetime.fromisoformat(value)]
    return []


def test_members_learn_the_site_of_an_unread_item_and_no_more(
    nexus: LiveNexus, session: Session
) -> None:
    owner, member = make_user(session), make_user(session)
    library = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    url = f"https://example.org/share/{TOKEN}?key={TOKEN}"
    media = make_media(
        session,
        owner,
        library_ids=[library.id],
        requested_url=url,
        title=url,
        canonical_source_url=url,
    )
    with nexus.api(member.user_id) as api:
        told = everything(api, media.id)
    assert TOKEN not in json.dumps(told)
    assert told[f"/media/{media.id}"]["data"]["title"] == "https://example.org/"


def test_an_item_stands_where_this_person_saved_it(nexus: LiveNexus, session: Session) -> None:
    first, second = make_user(session), make_user(session)
    page = fresh_page()
    with nexus.api(first.user_id) as api:
        media_id = saved_id(api, page)
    age(session, media_id, owner=first)
    with nexus.api(second.user_id) as api:
        older = saved_id(api, fresh_page())
        saved_id(api, page)
        listed = api.get("/media").json()["data"]["media"]
    assert [item["id"] for item in listed] == [str(media_id), str(older)]
    assert listed[0]["saved_at"] >= listed[1]["saved_at"]
    assert listed[0]["created_at"] == listed[0]["saved_at"]


def test_a_merge_keeps_the_date_of_the_persons_own_save(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    page = fresh_page()
    with nexus.api(make_user(session).user_id) as api:
        winner = saved_id(api, page)
        ingest(session, winner, final_url=page)
    with nexus.api(viewer.user_id) as api:
        loser = api.post("/media/from_url", json={"url": fresh_page()}).json()["data"]["media_id"]
        age(session, UUID(loser), owner=viewer)
        ingest(session, UUID(loser), final_url=page, actor=viewer)
        shown = api.get(f"/media/{winner}").json()["data"]
    assert datetime.fromisoformat(shown["saved_at"]) == LONG_AGO


# Ids that were merged, and retries.


def test_a_merged_id_works_wherever_an_id_does(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    media = media_in(session, viewer, ProcessingStatus.FAILED)
    shelf, alias = make_library(session, viewer), uuid4()
    session.add(MediaAlias(alias_id=alias, media_id=media.id))
    session.commit()
    entries = f"/libraries/{shelf.id}/media"
    with nexus.api(viewer.user_id) as api:
        assert api.post(f"/media/{alias}/retry").json()["data"]["media_id"] == str(media.id)
        added = api.post(entries, json={"media_id": str(alias)})
        assert (added.status_code, added.json()["data"]["media_id"]) == (201, str(media.id))
        assert api.delete(f"{entries}/{alias}").status_code == 204
        assert api.delete(f"/media/{alias}").status_code == 204
        assert api.post(f"/media/{alias}/restore").json()["data"]["id"] == str(media.id)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"processing_attempts": 1}, True),
        ({"processing_attempts": 3}, False),
        ({"processing_attempts": 5, "interrupted_attempts": 4}, True),
        ({"kind": "pdf"}, True),
        ({"kind": "pdf", "last_error_code": "E_PDF_PASSWORD"}, False),
        ({"kind": "epub"}, True),
        ({"kind": "epub", "last_error_code": "E_EPUB_DRM"}, False),
        ({"kind": "podcast_episode"}, False),
        ({"kind": "pdf", "failure_stage": "upload"}, True),
    ],
)
def test_retry_is_offered_where_it_is_taken_and_can_help(
    fields: dict[str, Any], expected: bool, nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    media = media_in(session, viewer, ProcessingStatus.FAILED, **fields)
    with nexus.api(viewer.user_id) as api:
        assert api.get(f"/media/{media.id}").json()["data"]["can_retry"] is expected
        assert api.get("/media").json()["data"]["media"][0]["can_retry"] is expected
        if media.kind == "web_article":
            status = api.post(f"/media/{media.id}/retry").status_code
            assert status == (200 if expected else 409)
            after = api.get(f"/media/{media.id}").json()["data"]
            assert after["can_retry"] is False, "what has not failed cannot be retried"


def test_a_member_who_may_not_retry_is_not_offered_it(nexus: LiveNexus, session: Session) -> None:
    owner, member = make_user(session), make_user(session)
    library = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    media = media_in(session, owner, ProcessingStatus.FAILED, library_ids=[library.id])
    with nexus.api(member.user_id) as api:
        assert api.get(f"/media/{media.id}").json()["data"]["can_retry"] is False
        assert api.post(f"/media/{media.id}/retry").status_code == 403
    assert row(media.id)["processing_status"] == ProcessingStatus.FAILED


def test_saving_what_another_has_tells_the_other_nothing(
    nexus: LiveNexus, viewer: Viewer, session: Session
) -> None:
    from nexus.config import get_settings
    from nexus.db.session import get_session_factory
    from nexus.services.media_events import MediaEvents

    other, page = make_user(session), fresh_page()
    with nexus.api(viewer.user_id) as api:
        media_id = saved_id(api, page)
    with nexus.api(other.user_id) as api:
        saved_id(api, page)
    events = MediaEvents(str(get_settings().database_url), get_session_factory())
    both = frozenset({viewer.user_id, other.user_id})
    entry = session.scalars(
        select(LibraryMedia).where(
            LibraryMedia.media_id == media_id, LibraryMedia.library_id == other.default_library_id
        )
    ).one()
    told = events._load(f"added:{entry.library_id}:{media_id}", both)
    assert told.keys() == {other.user_id}

"""Many at once: one winner, nobody gets an error of ours, nothing is left twice or lost."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from uuid import uuid4

import httpx
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nexus.db.enums import ProcessingStatus
from nexus.db.models import LibraryMedia, Media, UsageRecord
from tests.api.uploads import PDF, announce, confirm, put
from tests.factories import make_user
from tests.live import LiveNexus
from tests.media_states import local_storage, media_in, row

MANY = 50


def at_once(count: int, action: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(action, range(count)))


def statuses(answers: list[httpx.Response]) -> dict[int, int]:
    return dict(Counter(answer.status_code for answer in answers))


def test_one_address_saved_fifty_times_by_ten_people(nexus: LiveNexus, session: Session) -> None:
    people = [make_user(session) for _ in range(10)]
    clients = [nexus.api(person.user_id) for person in people]
    url = f"https://example.org/{uuid4().hex}"
    body = {"kind": "web_article", "url": url}
    answers = at_once(MANY, lambda n: clients[n % 10].post("/media/url", json=body))
    for client in clients:
        client.close()
    # New to each of them once, and nothing tells that the others have it.
    assert statuses(answers) == {201: 10, 200: MANY - 10}
    assert len({answer.json()["data"]["media_id"] for answer in answers}) == 1
    media_id = session.scalars(select(Media.id).where(Media.canonical_url == url)).one()
    held = session.scalars(
        select(LibraryMedia.library_id).where(LibraryMedia.media_id == media_id)
    ).all()
    assert Counter(held) == Counter(person.default_library_id for person in people)
    used = select(func.count()).where(UsageRecord.media_id == media_id)
    assert session.scalar(used) == 1


def test_a_failed_address_saved_fifty_times_is_revived_once(
    nexus: LiveNexus, session: Session
) -> None:
    viewer, url = make_user(session), f"https://example.org/{uuid4().hex}"
    media = media_in(session, viewer, ProcessingStatus.FAILED, canonical_url=url)
    body = {"kind": "web_article", "url": url}
    with nexus.api(viewer.user_id) as api:
        answers = at_once(MANY, lambda _: api.post("/media/url", json=body))
    assert statuses(answers) == {200: MANY}
    assert row(media.id)["processing_status"] == ProcessingStatus.PENDING


def test_fifty_retries_have_one_winner(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = media_in(session, viewer, ProcessingStatus.FAILED)
    with nexus.api(viewer.user_id) as api:
        answers = at_once(MANY, lambda _: api.post(f"/media/{media.id}/retry"))
    assert statuses(answers) == {200: 1, 409: MANY - 1}
    losers = {answer.json()["error"]["code"] for answer in answers if answer.is_error}
    assert losers == {"E_INVALID_STATE"}
    assert row(media.id)["processing_status"] == ProcessingStatus.PENDING


def test_saving_and_removing_at_once_never_breaks(nexus: LiveNexus, session: Session) -> None:
    people = [make_user(session) for _ in range(4)]
    clients = [nexus.api(person.user_id) for person in people]
    url = f"https://example.org/{uuid4().hex}"
    body = {"kind": "web_article", "url": url}
    first = clients[0].post("/media/url", json=body).json()["data"]["media_id"]
    known = {"id": first}

    def save_or_remove(n: int) -> httpx.Response:
        client = clients[n % 4]
        if n % 3:
            answer = client.post("/media/url", json=body)
            known["id"] = answer.json().get("data", known).get("media_id", known["id"])
            return answer
        return client.delete(f"/media/{known['id']}")

    answers = at_once(MANY, save_or_remove)
    assert statuses(answers).keys() <= {200, 201, 204, 404}
    final = [client.post("/media/url", json=body) for client in clients]
    ids = {answer.json()["data"]["media_id"] for answer in final}
    assert len(ids) == 1
    for client in clients:
        assert client.get(f"/media/{next(iter(ids))}").status_code == 200
        client.close()
    assert session.scalar(select(func.count()).where(Media.canonical_url == url)) == 1


def test_the_same_bytes_twenty_times_are_one_item(nexus: LiveNexus, session: Session) -> None:
    data = PDF + uuid4().bytes
    with closing(nexus.signed_up()) as browser:
        targets = [announce(browser, data) for _ in range(20)]
        for target in targets:
            put(browser, target, data)
        answers = at_once(20, lambda n: confirm(browser, targets[n]))
        assert statuses(answers) == {200: 20}
        outcomes = [answer.json()["data"] for answer in answers]
        kept = {outcome["media_id"] for outcome in outcomes}
        assert len(kept) == 1
        assert [outcome["duplicate"] for outcome in outcomes].count(False) == 1
        listed = browser.get("/api/media?kind=pdf").json()["data"]["media"]
        assert [media["id"] for media in listed] == list(kept)
        for target in targets:
            alias = browser.get(f"/api/media/{target['media_id']}").json()["data"]
            assert alias["id"] in kept
            assert alias["duplicate"] is (target["media_id"] not in kept)
            stored = local_storage().stat(target["storage_path"])
            assert (stored is not None) is (target["media_id"] in kept)


def test_one_upload_confirmed_twenty_times_at_once(nexus: LiveNexus) -> None:
    data = PDF + uuid4().bytes
    with closing(nexus.signed_up()) as browser:
        first = announce(browser, data)
        put(browser, first, data)
        assert confirm(browser, first).status_code == 200
        second = announce(browser, data)
        put(browser, second, data)
        answers = at_once(20, lambda _: confirm(browser, second))
    assert statuses(answers) == {200: 20}
    outcomes = {
        (answer.json()["data"]["media_id"], answer.json()["data"]["duplicate"])
        for answer in answers
    }
    assert outcomes == {(first["media_id"], True)}

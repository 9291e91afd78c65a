"""Ids that clients make for their highlights: a repeated request creates nothing twice."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from nexus.db.models import DeletedHighlight, Highlight, LibraryMedia
from nexus.db.session import get_session_factory
from nexus.services.highlight_undo import forget_deleted_highlights, keep_for_undo
from tests.factories import make_article, make_user
from tests.highlights import TEXT, Reader, highlight_body
from tests.live import LiveNexus, somebody_waits, wait_for
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def reader(nexus: LiveNexus, session: Session) -> Iterator[Reader]:
    reader = Reader(nexus, session)
    with reader.api:
        yield reader


def uuid_of(version: int) -> str:
    """A random UUID that says to be of this version."""
    id = str(uuid4())
    return f"{id[:14]}{version}{id[15:]}"


def refused(answer: httpx.Response) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["message"]


def forget_deleted(session: Session) -> None:
    """The chore, a minute later."""
    long_ago = DeletedHighlight.deleted_at - timedelta(minutes=1)
    session.execute(update(DeletedHighlight).values(deleted_at=long_ago))
    assert forget_deleted_highlights(session) > 0
    session.commit()


@pytest.mark.parametrize("version", [4, 7])
def test_a_repeated_request_creates_one_highlight(reader: Reader, version: int) -> None:
    id = uuid_of(version)
    created = reader.created(4, 9, id=id, color="green")
    assert created["id"] == id
    for _ in range(2):
        again = reader.create(4, 9, id=id, color="green")
        assert (again.status_code, again.json()["data"]) == (200, created)
    assert reader.listed() == [created]


def test_a_repeated_request_returns_the_note_written_meanwhile(reader: Reader) -> None:
    id = str(uuid4())
    reader.created(4, 9, id=id)
    reader.api.put(f"/highlights/{id}/annotation", json={"body": "kept"})
    again = reader.create(4, 9, id=id)
    assert again.status_code == 200
    assert again.json()["data"]["annotation"]["body"] == "kept"


@pytest.mark.parametrize("version", [1, 2, 3, 5, 6, 8])
def test_other_versions_are_refused(reader: Reader, version: int) -> None:
    answer = reader.create(4, 9, id=uuid_of(version))
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "E_INVALID_REQUEST")
    assert reader.listed() == []


@pytest.mark.parametrize("id", [str(UUID(int=0)), "pending-1", "", None, 5])
def test_other_ids_are_refused(reader: Reader, id: Any) -> None:
    answer = reader.create(4, 9, id=id)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "E_INVALID_REQUEST")
    assert reader.listed() == []


def test_an_id_with_another_body_is_a_conflict(reader: Reader, session: Session) -> None:
    id = str(uuid4())
    created = reader.created(4, 9, id=id)
    other = make_article(session, reader.viewer, text=TEXT)
    answers = [
        reader.create(4, 9, id=id, color="blue"),
        reader.create(5, 9, id=id),
        reader.api.post(
            f"/fragments/{other.id}/highlights", json=highlight_body(TEXT, 4, 9, id=id)
        ),
    ]
    assert {refused(answer)[:2] for answer in answers} == {(409, "E_HIGHLIGHT_ID_CONFLICT")}
    assert reader.listed() == [created]


def test_a_changed_highlight_is_not_changed_back(reader: Reader) -> None:
    id = str(uuid4())
    reader.created(4, 9, id=id, color="green")
    changed = reader.api.patch(f"/highlights/{id}", json={"color": "pink"}).json()["data"]
    again = reader.create(4, 9, id=id, color="green")
    assert refused(again)[:2] == (409, "E_HIGHLIGHT_ID_CONFLICT")
    assert reader.listed() == [changed]


@pytest.mark.parametrize("shared", [True, False])
def test_the_id_of_another_person_is_told_apart_from_nothing(
    nexus: LiveNexus, session: Session, reader: Reader, shared: bool
) -> None:
    """Theirs, one's own with another body and a deleted one get the very same refusal."""
    theirs, changed, deleted = str(uuid4()), str(uuid4()), str(uuid4())
    other = make_user(session)
    fragment = reader.fragment if shared else make_article(session, other, text=TEXT)
    if shared:
        library = other.default_library_id
        session.add(LibraryMedia(library_id=library, media_id=fragment.media_id))
        session.commit()
    with nexus.api(other.user_id) as api:
        url = f"/fragments/{fragment.id}/highlights"
        assert api.post(url, json=highlight_body(TEXT, 4, 9, id=theirs)).status_code == 201
        reader.created(4, 8, id=changed)
        reader.created(4, 7, id=deleted)
        reader.api.delete(f"/highlights/{deleted}")
        answers = [reader.create(4, 9, id=id) for id in (theirs, changed, deleted)]
        assert len({refused(answer) for answer in answers}) == 1
        assert refused(answers[0])[:2] == (409, "E_HIGHLIGHT_ID_CONFLICT")
        (kept,) = api.get(url).json()["data"]["highlights"]
        assert (kept["id"], kept["exact"]) == (theirs, TEXT[4:9])


def test_the_same_span_under_another_id_is_the_usual_conflict(reader: Reader) -> None:
    created = reader.created(4, 9, id=str(uuid4()))
    again = reader.create(4, 9, id=str(uuid4()))
    assert refused(again)[:2] == (409, "E_HIGHLIGHT_CONFLICT")
    assert reader.listed() == [created]


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_deleted_highlight_stays_deleted(
    reader: Reader, session: Session, forgotten: bool
) -> None:
    id = str(uuid4())
    reader.created(4, 9, id=id)
    reader.api.delete(f"/highlights/{id}")
    if forgotten:
        forget_deleted(session)
        assert reader.api.post(f"/highlights/{id}/restore").status_code == 404
    for _ in range(2):
        assert refused(reader.create(4, 9, id=id))[:2] == (409, "E_HIGHLIGHT_ID_CONFLICT")
    assert reader.listed() == []
    again = reader.created(4, 9, id=str(uuid4()))
    assert refused(reader.create(4, 9, id=id))[:2] == (409, "E_HIGHLIGHT_ID_CONFLICT")
    assert reader.listed() == [again]


def test_what_was_deleted_for_good_leaves_nothing_but_its_id(
    reader: Reader, session: Session
) -> None:
    id = reader.created(4, 9)["id"]
    reader.api.put(f"/highlights/{id}/annotation", json={"body": "secret"})
    reader.api.delete(f"/highlights/{id}")
    forget_deleted(session)
    kept = session.get_one(DeletedHighlight, UUID(id))
    assert (kept.highlight, kept.annotation) == (None, None)


def test_undo_and_repetition(reader: Reader) -> None:
    """Deleted, repeated, restored, repeated: there is one highlight, and it is the first one."""
    id = str(uuid4())
    created = reader.created(4, 9, id=id)
    reader.api.delete(f"/highlights/{id}")
    assert reader.create(4, 9, id=id).status_code == 409
    assert reader.api.post(f"/highlights/{id}/restore").status_code == 200
    again = reader.create(4, 9, id=id)
    assert (again.status_code, again.json()["data"]) == (200, created)
    assert reader.api.delete(f"/highlights/{id}").status_code == 204
    assert reader.listed() == []


def test_the_same_request_many_times_at_once(reader: Reader, session: Session) -> None:
    id = uuid4()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: reader.create(3, 9, id=str(id)), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({str(answer.json()["data"]) for answer in answers}) == 1
    assert session.scalars(select(Highlight.id).where(Highlight.id == id)).all() == [id]


@pytest.mark.parametrize(("commits", "status"), [(True, 200), (False, 201)])
def test_a_repetition_waits_for_the_first_request(
    reader: Reader, session: Session, commits: bool, status: int
) -> None:
    id = uuid4()
    owner = {"user_id": reader.viewer.user_id, "fragment_id": reader.fragment.id}
    with get_session_factory()() as first, ThreadPoolExecutor(1) as pool:
        first.add(Highlight(**owner, **highlight_body(TEXT, 4, 9, id=id)))
        first.flush()
        answer = pool.submit(reader.create, 4, 9, id=str(id))
        wait_for(lambda: somebody_waits(session))
        if commits:
            first.commit()
        else:
            first.rollback()
        assert answer.result(PATIENCE_SECONDS).status_code == status
    assert [row["id"] for row in reader.listed()] == [str(id)]


def test_a_repetition_beside_the_deletion(reader: Reader, session: Session) -> None:
    """The deletion is not committed yet when the same request comes again."""
    id = uuid4()
    reader.created(4, 9, id=str(id))
    with get_session_factory()() as deleting, ThreadPoolExecutor(1) as pool:
        highlight = deleting.get_one(Highlight, id)
        keep_for_undo(deleting, highlight)
        deleting.delete(highlight)
        deleting.flush()
        answer = pool.submit(reader.create, 4, 9, id=str(id))
        wait_for(lambda: somebody_waits(session))
        deleting.commit()
        assert refused(answer.result(PATIENCE_SECONDS))[:2] == (409, "E_HIGHLIGHT_ID_CONFLICT")
    assert reader.listed() == []
    assert reader.api.post(f"/highlights/{id}/restore").status_code == 200

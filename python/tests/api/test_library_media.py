"""What libraries hold: adding, removing, the default library's closure, and races."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from nexus.db.enums import MembershipRole
from nexus.db.models import LibraryMedia, Media
from nexus.db.session import get_session_factory
from nexus.errors import ApiError, MediaNotFoundError
from nexus.services.libraries import delete_library
from nexus.services.library_media import add_media_to_library, remove_media_from_library
from nexus.services.viewer import Viewer
from tests.factories import make_library, make_media, make_user
from tests.live import LiveNexus, somebody_waits, wait_for
from tests.media_states import let_undo_expire
from tests.patience import PATIENCE_SECONDS


def add(api: httpx.Client, library_id: UUID, media_id: UUID) -> httpx.Response:
    return api.post(f"/libraries/{library_id}/media", json={"media_id": str(media_id)})


def remove(api: httpx.Client, library_id: UUID, media_id: UUID) -> httpx.Response:
    return api.delete(f"/libraries/{library_id}/media/{media_id}")


def holders(session: Session, media_id: UUID) -> set[UUID]:
    """The libraries that hold the item, as everybody sees them now."""
    session.rollback()
    query = select(LibraryMedia.library_id).where(LibraryMedia.media_id == media_id)
    return set(session.scalars(query))


def exists(session: Session, media_id: UUID) -> bool:
    session.rollback()
    return session.scalar(select(1).where(Media.id == media_id)) is not None


def test_add_is_idempotent(nexus: LiveNexus, session: Session) -> None:
    user = make_user(session)
    library = make_library(session, user)
    media = make_media(session, user)
    with nexus.api(user.user_id) as api:
        first, second = add(api, library.id, media.id), add(api, library.id, media.id)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert first.json()["data"] == {"library_id": str(library.id), "media_id": str(media.id)}
    assert holders(session, media.id) == {library.id, user.default_library_id}


def test_adding_puts_it_into_the_owners_default_library(nexus: LiveNexus, session: Session) -> None:
    """The closure is the owner's: another admin's addition shows up with the owner."""
    owner, admin = make_user(session), make_user(session)
    library = make_library(session, owner, members={admin.user_id: MembershipRole.ADMIN})
    media = make_media(session, admin)
    with nexus.api(admin.user_id) as api:
        assert add(api, library.id, media.id).status_code == 201
    expected = {library.id, owner.default_library_id, admin.default_library_id}
    assert holders(session, media.id) == expected


def test_what_one_cannot_read_one_cannot_add(nexus: LiveNexus, session: Session) -> None:
    owner, stranger = make_user(session), make_user(session)
    media = make_media(session, owner)
    with nexus.api(stranger.user_id) as api:
        hidden = add(api, stranger.default_library_id, media.id)
        missing = add(api, stranger.default_library_id, uuid4())
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert hidden.json()["error"]["code"] == "E_MEDIA_NOT_FOUND"
    assert hidden.json()["error"]["message"] == missing.json()["error"]["message"]
    assert holders(session, media.id) == {owner.default_library_id}


def test_member_may_add_a_shared_item_to_their_own_library(
    nexus: LiveNexus, session: Session
) -> None:
    owner, member = make_user(session), make_user(session)
    shared = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    media = make_media(session, owner, library_ids=[shared.id])
    with nexus.api(member.user_id) as api:
        assert add(api, member.default_library_id, media.id).status_code == 201


def test_removing_from_an_ordinary_library_keeps_it_in_the_default(
    nexus: LiveNexus, session: Session
) -> None:
    user = make_user(session)
    library = make_library(session, user)
    media = make_media(session, user, library_ids=[user.default_library_id, library.id])
    with nexus.api(user.user_id) as api:
        assert remove(api, library.id, media.id).status_code == 204
        assert remove(api, library.id, media.id).status_code == 404
    assert holders(session, media.id) == {user.default_library_id}


def test_removing_from_the_default_library_empties_the_private_ones(
    nexus: LiveNexus, session: Session
) -> None:
    owner, member = make_user(session), make_user(session)
    private = make_library(session, owner, name="Private")
    shared = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    theirs = make_library(session, member, members={owner.user_id: MembershipRole.ADMIN})
    everywhere = [owner.default_library_id, private.id, shared.id, theirs.id]
    media = make_media(session, owner, library_ids=everywhere)
    with nexus.api(owner.user_id) as api:
        assert remove(api, owner.default_library_id, media.id).status_code == 204
        still = api.get(f"/libraries/{shared.id}/media").json()["data"]["media"]
    assert holders(session, media.id) == {shared.id, theirs.id}
    assert [item["id"] for item in still] == [str(media.id)]


def test_the_row_goes_with_its_last_library(nexus: LiveNexus, session: Session) -> None:
    owner, reader = make_user(session), make_user(session)
    media = make_media(
        session, owner, library_ids=[owner.default_library_id, reader.default_library_id]
    )
    media_id = media.id
    with nexus.api(owner.user_id) as api:
        assert remove(api, owner.default_library_id, media.id).status_code == 204
    assert exists(session, media.id)
    with nexus.api(reader.user_id) as api:
        assert remove(api, reader.default_library_id, media.id).status_code == 204
    assert exists(session, media_id), "the removal can still be undone"
    let_undo_expire(session)
    assert not exists(session, media_id)


def test_removing_what_is_not_there(nexus: LiveNexus, session: Session) -> None:
    """Also when a private library holds it: nothing is changed on the way to the 404."""
    user = make_user(session)
    private = make_library(session, user)
    media = make_media(session, user, library_ids=[private.id])
    with nexus.api(user.user_id) as api:
        answer = remove(api, user.default_library_id, media.id)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "E_MEDIA_NOT_FOUND")
        assert remove(api, private.id, uuid4()).status_code == 404
    assert holders(session, media.id) == {private.id}


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_list_pages(nexus: LiveNexus, session: Session, limit: int) -> None:
    user = make_user(session)
    made = [str(make_media(session, user, title=f"Item {number}").id) for number in range(5)]
    url = f"/libraries/{user.default_library_id}/media"
    listed: list[str] = []
    with nexus.api(user.user_id) as api:
        cursor: str | None = None
        while cursor is not None or not listed:
            params = {"limit": str(limit), **({"cursor": cursor} if cursor else {})}
            data = api.get(url, params=params).json()["data"]
            listed += [item["id"] for item in data["media"]]
            cursor = data["next_cursor"]
    assert listed == made[::-1]


def test_list_pages_when_all_came_at_one_moment(nexus: LiveNexus, session: Session) -> None:
    user = make_user(session)
    for _ in range(5):
        session.add(media := Media(kind="web_article", title="x"))
        session.flush()
        session.add(LibraryMedia(library_id=user.default_library_id, media_id=media.id))
    session.commit()
    url = f"/libraries/{user.default_library_id}/media"
    with nexus.api(user.user_id) as api:
        first = api.get(url, params={"limit": 3}).json()["data"]
        rest = api.get(url, params={"cursor": first["next_cursor"]}).json()["data"]
    assert len({item["id"] for item in first["media"] + rest["media"]}) == 5


@pytest.mark.parametrize("cursor", ["", "x", "WyIxIiwiYSIsImIiXQ", "WyJ4IiwieSJd"])
def test_bad_cursor(nexus: LiveNexus, session: Session, cursor: str) -> None:
    user = make_user(session)
    with nexus.api(user.user_id) as api:
        answer = api.get(f"/libraries/{user.default_library_id}/media", params={"cursor": cursor})
    assert answer.status_code == 400


# Races, with real sessions side by side.


def outcome(call: object) -> str:
    """ "done", or the code of the error the caller would be told."""
    assert callable(call)
    try:
        with get_session_factory()() as session, session.begin():
            call(session)
    except ApiError as error:
        return error.code
    return "done"


def race(*calls: object) -> list[str]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(outcome, calls))


@pytest.mark.parametrize("_round", range(15))
def test_last_removal_against_addition(session: Session, _round: int) -> None:
    """An item is either gone or held; the loser is told that it is gone."""
    owner, reader = make_user(session), make_user(session)
    shared = make_library(session, owner, members={reader.user_id: MembershipRole.MEMBER})
    media = make_media(session, owner, library_ids=[shared.id])
    media_id = media.id

    def take_out(own: Session) -> None:
        remove_media_from_library(own, owner, library_id=shared.id, media_id=media_id)

    def put_in(own: Session) -> None:
        library_id = reader.default_library_id
        add_media_to_library(own, reader, library_id=library_id, media_id=media_id)

    removed, added = race(take_out, put_in)
    assert removed == "done"
    if added == "done":
        assert holders(session, media_id) == {reader.default_library_id}
    else:
        assert added == "E_MEDIA_NOT_FOUND"
        let_undo_expire(session)
        assert not exists(session, media_id)


def closure_holds(session: Session, owner: Viewer, library_id: UUID, media_id: UUID) -> bool:
    where = holders(session, media_id)
    return library_id not in where or owner.default_library_id in where


@pytest.mark.parametrize("_round", range(15))
def test_removal_from_default_against_addition(session: Session, _round: int) -> None:
    """Whichever comes first, an item in a private library is in the default one too."""
    owner = make_user(session)
    library = make_library(session, owner)
    media_id = make_media(session, owner).id

    def take_out(own: Session) -> None:
        library_id = owner.default_library_id
        remove_media_from_library(own, owner, library_id=library_id, media_id=media_id)

    def put_in(own: Session) -> None:
        add_media_to_library(own, owner, library_id=library.id, media_id=media_id)

    removed, added = race(take_out, put_in)
    assert removed == "done"
    assert added in {"done", "E_MEDIA_NOT_FOUND"}
    assert closure_holds(session, owner, library.id, media_id)


@pytest.mark.parametrize("_round", range(10))
def test_removal_from_default_against_deletion(session: Session, _round: int) -> None:
    """Neither waits for the other forever, whatever both hold."""
    owner = make_user(session)
    library = make_library(session, owner)
    both = [owner.default_library_id, library.id]
    media_id = make_media(session, owner, library_ids=both).id

    def take_out(own: Session) -> None:
        library_id = owner.default_library_id
        remove_media_from_library(own, owner, library_id=library_id, media_id=media_id)

    def throw_away(own: Session) -> None:
        delete_library(own, owner, library_id=library.id)

    assert race(take_out, throw_away) == ["done", "done"]
    let_undo_expire(session)
    assert not exists(session, media_id)


def test_removal_waits_for_an_addition_under_way(session: Session) -> None:
    """The same, with the addition stopped right before its commit."""
    owner = make_user(session)
    library = make_library(session, owner)
    media_id = make_media(session, owner).id

    def take_out(own: Session) -> None:
        library_id = owner.default_library_id
        remove_media_from_library(own, owner, library_id=library_id, media_id=media_id)

    with get_session_factory()() as adding, ThreadPoolExecutor(1) as pool:
        add_media_to_library(adding, owner, library_id=library.id, media_id=media_id)
        removal = pool.submit(outcome, take_out)
        wait_for(lambda: somebody_waits(session) or removal.done())
        adding.commit()
        assert removal.result(PATIENCE_SECONDS) == "done"
    let_undo_expire(session)
    assert not exists(session, media_id)


def test_addition_waits_for_the_last_removal_under_way(session: Session) -> None:
    owner, reader = make_user(session), make_user(session)
    shared = make_library(session, owner, members={reader.user_id: MembershipRole.MEMBER})
    media_id = make_media(session, owner, library_ids=[shared.id]).id

    def put_in(own: Session) -> None:
        library_id = reader.default_library_id
        add_media_to_library(own, reader, library_id=library_id, media_id=media_id)

    with get_session_factory()() as removing, ThreadPoolExecutor(1) as pool:
        remove_media_from_library(removing, owner, library_id=shared.id, media_id=media_id)
        addition = pool.submit(outcome, put_in)
        wait_for(lambda: somebody_waits(session) or addition.done())
        removing.commit()
        assert addition.result(PATIENCE_SECONDS) == "E_MEDIA_NOT_FOUND"


def test_everything_at_once_over_http(nexus: LiveNexus, session: Session) -> None:
    """Adds, removals and deletions of shared items: clear answers only, no row without a home."""
    owner, admin = make_user(session), make_user(session)
    shelves = [
        make_library(session, owner, members={admin.user_id: MembershipRole.ADMIN})
        for _ in range(3)
    ]
    media_ids = [make_media(session, owner, library_ids=[shelves[0].id]).id for _ in range(6)]
    with nexus.api(owner.user_id) as one, nexus.api(admin.user_id) as two:

        def step(number: int) -> httpx.Response:
            api = (one, two)[number % 2]
            shelf, media_id = shelves[number % 3].id, media_ids[number % 6]
            if number % 5 == 0:
                return remove(one, owner.default_library_id, media_id)
            if number % 5 < 3:
                return add(api, shelf, media_id)
            return remove(api, shelf, media_id)

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(step, range(120)))
    assert {answer.status_code for answer in answers} <= {200, 201, 204, 404}
    let_undo_expire(session)
    for media_id in session.scalars(select(Media.id).where(Media.id.in_(media_ids))).all():
        assert holders(session, media_id), "an item that nobody holds"
    session.execute(delete(Media).where(Media.id.in_(media_ids)))
    session.commit()


def test_service_refuses_what_the_viewer_cannot_read(session: Session) -> None:
    owner, stranger = make_user(session), make_user(session)
    media_id = make_media(session, owner).id
    library_id = stranger.default_library_id
    with pytest.raises(MediaNotFoundError):
        add_media_to_library(session, stranger, library_id=library_id, media_id=media_id)


def test_an_item_knows_which_of_the_viewers_libraries_hold_it(
    nexus: LiveNexus, session: Session
) -> None:
    owner, member = make_user(session), make_user(session)
    shared = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    make_library(session, owner, name="Empty")
    holding = [owner.default_library_id, shared.id]
    media = make_media(session, owner, library_ids=holding)
    path = f"/media/{media.id}/libraries"
    with nexus.api(owner.user_id) as api:
        assert set(api.get(path).json()["data"]["library_ids"]) == {str(one) for one in holding}
    with nexus.api(member.user_id) as api:
        assert api.get(path).json()["data"]["library_ids"] == [str(shared.id)]

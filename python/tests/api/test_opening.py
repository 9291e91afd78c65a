"""Opening an item: one response with all that its first screen needs."""

from uuid import uuid4

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Fragment, Media, MediaOutline
from tests.factories import make_article, make_user
from tests.highlights import highlight_body
from tests.live import LiveNexus
from tests.media_states import media_in

TEXT = "One passage that is read again, and some more of it."
CHOICE = {"theme": "dark", "font": "sans", "width": "wide", "size": 22}
NOW = "2026-02-03T04:10:00Z"


def test_an_article_opens_with_all_that_is_shown_of_it(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    article = make_article(session, viewer, text=TEXT)
    path = f"/media/{article.media_id}"
    place = {"fragment_id": str(article.id), "offset": 4, "changed_at": NOW}
    with nexus.api(viewer.user_id) as api:
        api.put("/me/preferences", json={**CHOICE, "changed_at": NOW})
        api.put(f"{path}/position", json=place)
        made = api.post(
            f"/fragments/{article.id}/highlights", json=highlight_body(TEXT, 4, 11)
        ).json()["data"]
        api.put(f"/highlights/{made['id']}/annotation", json={"body": "Why?"})
        opened = api.get(f"{path}/reading").json()["data"]

        # Every part is what its own route returns.
        assert opened["media"] == api.get(path).json()["data"]
        assert [opened["fragment"]] == api.get(f"{path}/fragments").json()["data"]["fragments"]
        assert opened["highlights"] == api.get(f"{path}/highlights").json()["data"]["highlights"]
        assert opened["highlights"][0]["annotation"]["body"] == "Why?"
        assert opened["position"] == api.get(f"{path}/position").json()["data"]
        assert opened["preferences"] == api.get("/me/preferences").json()["data"]
        assert (opened["outline"], opened["file"]) == (None, None)

        # Who has the text already is not sent it again.
        light = api.get(f"{path}/reading", params={"text": "false"}).json()["data"]
        assert light == {**opened, "fragment": None}


def test_a_book_opens_at_the_part_one_reads(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    first = make_article(session, viewer, text=TEXT)
    session.execute(
        update(Media).where(Media.id == first.media_id).values(kind=MediaKind.EPUB, word_count=9)
    )
    parts = [
        Fragment(media_id=first.media_id, idx=idx, html_sanitized="<p>x</p>", canonical_text="x")
        for idx in (1, 2)
    ]
    session.add_all(parts)
    session.flush()
    start = {"fragment_idx": 1, "offset": 0}
    session.add(MediaOutline(media_id=first.media_id, contents=[], pages=[], start=start))
    session.commit()
    path = f"/media/{first.media_id}"
    with nexus.api(viewer.user_id) as api:
        opened = api.get(f"{path}/reading").json()["data"]
        assert opened["outline"] == api.get(f"{path}/outline").json()["data"]
        assert opened["fragment"]["id"] == str(parts[0].id)

        place = {"fragment_id": str(parts[1].id), "offset": 1, "changed_at": NOW}
        api.put(f"{path}/position", json=place)
        assert api.get(f"{path}/reading").json()["data"]["fragment"]["id"] == str(parts[1].id)


@pytest.mark.parametrize("status", [ProcessingStatus.PENDING, ProcessingStatus.FAILED])
def test_what_cannot_be_read_opens_without_a_text(
    nexus: LiveNexus, session: Session, status: ProcessingStatus
) -> None:
    viewer = make_user(session)
    media = media_in(session, viewer, status)
    with nexus.api(viewer.user_id) as api:
        opened = api.get(f"/media/{media.id}/reading").json()["data"]
    assert opened["media"]["processing_status"] == status.value
    assert (opened["fragment"], opened["highlights"]) == (None, [])


def test_nobody_opens_what_is_not_theirs(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    article = make_article(session, viewer)
    with nexus.api(other.user_id) as api:
        for media_id in (article.media_id, uuid4()):
            answer = api.get(f"/media/{media_id}/reading")
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] == "E_MEDIA_NOT_FOUND"


def test_what_a_browser_has_of_a_text_is_not_sent_again(nexus: LiveNexus, session: Session) -> None:
    viewer, other = make_user(session), make_user(session)
    article = make_article(
        session,
        viewer,
        text=TEXT,
        library_ids=[viewer.default_library_id, other.default_library_id],
    )
    with nexus.api(viewer.user_id) as api, nexus.api(other.user_id) as others:
        for path in (f"/fragments/{article.id}", f"/media/{article.media_id}/reading"):
            answer = api.get(path)
            # Asked about each time: access may be lost, or somebody else signed in.
            assert answer.headers["cache-control"] == "private, no-cache"
            known = {"If-None-Match": answer.headers["etag"]}
            again = api.get(path, headers=known)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == answer.headers["etag"]
        # Whatever changes on the first screen is sent.
        api.post(f"/fragments/{article.id}/highlights", json=highlight_body(TEXT, 4, 11))
        assert api.get(path, headers=known).status_code == 200
        api.delete(f"/media/{article.media_id}")
        assert api.get(path, headers=known).status_code == 404
        assert others.get(path).is_success

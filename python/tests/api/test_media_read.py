"""GET /media/{id}, its fragments and file, and DELETE: contract and visibility."""

from uuid import uuid4

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, MembershipRole, ProcessingStatus
from nexus.db.models import Fragment, Media, MediaAlias, MediaFile
from tests.factories import make_article, make_library, make_media, make_user
from tests.live import LiveNexus
from tests.media_states import let_undo_expire, local_storage, media_with_everything

MEDIA_FIELDS = {
    "id",
    "kind",
    "title",
    "requested_url",
    "canonical_url",
    "canonical_source_url",
    "external_playback_url",
    "provider",
    "provider_id",
    "processing_status",
    "processing_attempts",
    "failure_stage",
    "last_error_code",
    "last_error_message",
    "processing_started_at",
    "processing_completed_at",
    "failed_at",
    "created_at",
    "updated_at",
    "authors",
    "site_name",
    "published_at",
    "language",
    "excerpt",
    "lead_image_url",
    "word_count",
    "page_count",
    "saved_at",
    "state",
    "progress",
    "archived",
    "favourite",
    "tags",
    "opened_at",
    "can_retry",
    "capabilities",
    "duplicate",
}
FRAGMENT_FIELDS = {
    *("id", "media_id", "idx", "html_sanitized", "canonical_text", "created_at"),
    "images",
}
CAPABILITIES = {
    "can_read",
    "can_highlight",
    "can_quote",
    "can_search",
    "can_play",
    "can_download_file",
}


def _code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_an_article_and_its_text(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    first = make_article(session, viewer, text="One")
    session.add(
        Fragment(media_id=first.media_id, idx=1, html_sanitized="<p>Two</p>", canonical_text="Two")
    )
    session.commit()
    with nexus.api(viewer.user_id) as api:
        media = api.get(f"/media/{first.media_id}").json()["data"]
        fragments = api.get(f"/media/{first.media_id}/fragments").json()["data"]["fragments"]
    assert media.keys() == MEDIA_FIELDS
    assert media["capabilities"].keys() == CAPABILITIES
    assert media["capabilities"]["can_read"] is True
    assert media["duplicate"] is False
    assert [fragment["canonical_text"] for fragment in fragments] == ["One", "Two"]
    assert fragments[0].keys() == FRAGMENT_FIELDS


def test_a_merged_id_answers_the_winner_to_those_who_can_read_it(
    nexus: LiveNexus, session: Session
) -> None:
    viewer, stranger = make_user(session), make_user(session)
    winner = make_article(session, viewer)
    alias = uuid4()
    session.add(MediaAlias(alias_id=alias, media_id=winner.media_id))
    session.commit()
    with nexus.api(viewer.user_id) as api:
        media = api.get(f"/media/{alias}").json()["data"]
        fragments = api.get(f"/media/{alias}/fragments").json()["data"]["fragments"]
        assert api.get(f"/media/{winner.media_id}").json()["data"]["duplicate"] is False
    assert (media["id"], media["duplicate"]) == (str(winner.media_id), True)
    assert [fragment["id"] for fragment in fragments] == [str(winner.id)]
    with nexus.api(stranger.user_id) as api:
        assert _code(api.get(f"/media/{alias}")) == (404, "E_MEDIA_NOT_FOUND")


ROUTES = [
    ("GET", ""),
    ("DELETE", ""),
    ("GET", "/fragments"),
    ("GET", "/file"),
    ("POST", "/restore"),
    ("POST", "/retry"),
    ("POST", "/ingest"),
    ("POST", "/upload"),
]


@pytest.mark.parametrize(("method", "rest"), ROUTES)
def test_not_yours_is_not_there(method: str, rest: str, nexus: LiveNexus, session: Session) -> None:
    owner, stranger = make_user(session), make_user(session)
    media, _ = media_with_everything(session, owner, stage=FailureStage.EXTRACT)
    body = {"filename": "a.pdf", "content_type": "application/pdf", "size_bytes": 1}
    with nexus.api(stranger.user_id) as api:
        answers = [
            api.request(
                method, f"/media/{media_id}{rest}", json=body if rest == "/upload" else None
            )
            for media_id in (media.id, uuid4())
        ]
        nonsense = api.request(method, f"/media/not-a-uuid{rest}")
    errors = [answer.json()["error"] | {"request_id": None} for answer in answers]
    assert [_code(answer) for answer in answers] == [(404, "E_MEDIA_NOT_FOUND")] * 2
    assert errors[0] == errors[1]
    assert _code(nonsense) == (400, "E_INVALID_REQUEST")


def test_file_link_for_readers_only_when_there_is_a_file(
    nexus: LiveNexus, session: Session
) -> None:
    owner, member = make_user(session), make_user(session)
    library = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    media, path = media_with_everything(
        session, owner, stage=FailureStage.EXTRACT, library_ids=[library.id], title='A "title"/é'
    )
    article = make_article(session, member)
    with nexus.api(member.user_id) as api:
        link = api.get(f"/media/{media.id}/file").json()["data"]
        none = api.get(f"/media/{article.media_id}/file")
    assert link.keys() == {"url", "expires_at"}
    assert path in link["url"]
    assert none.status_code == 404
    with nexus.browser() as browser:
        downloaded = browser.get(link["url"])
        part = browser.get(link["url"], headers={"Range": "bytes=1-3"})
    assert downloaded.content == b"%PDF-1.7"
    assert downloaded.headers["X-Content-Type-Options"] == "nosniff"
    assert downloaded.headers["Content-Disposition"].startswith("attachment")
    assert (part.status_code, part.content) == (206, b"PDF")


def test_delete_takes_row_fragments_and_bytes_with_the_last_holder(
    nexus: LiveNexus, session: Session
) -> None:
    viewer = make_user(session)
    shelf = make_library(session, viewer)
    libraries = [viewer.default_library_id, shelf.id]
    media, path = media_with_everything(
        session, viewer, stage=FailureStage.EXTRACT, library_ids=libraries
    )
    media_id = media.id
    with nexus.api(viewer.user_id) as api:
        answer = api.delete(f"/media/{media_id}")
        again = api.delete(f"/media/{media_id}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert _code(again) == (404, "E_MEDIA_NOT_FOUND")
    let_undo_expire(session)
    assert local_storage().stat(path) is None
    session.expire_all()
    assert session.get(Media, media_id) is None
    assert session.get(MediaFile, media_id) is None
    assert session.scalars(select(Fragment).where(Fragment.media_id == media_id)).all() == []


def test_delete_leaves_what_others_hold(nexus: LiveNexus, session: Session) -> None:
    one, two = make_user(session), make_user(session)
    both = [one.default_library_id, two.default_library_id]
    media = make_media(session, one, library_ids=both)
    with nexus.api(one.user_id) as mine, nexus.api(two.user_id) as theirs:
        assert mine.delete(f"/media/{media.id}").status_code == 204
        assert mine.get(f"/media/{media.id}").status_code == 404
        assert theirs.get(f"/media/{media.id}").status_code == 200


def test_delete_of_what_is_only_in_somebody_elses_library(
    nexus: LiveNexus, session: Session
) -> None:
    owner, member = make_user(session), make_user(session)
    library = make_library(session, owner, members={member.user_id: MembershipRole.MEMBER})
    media = make_media(session, owner, library_ids=[library.id])
    with nexus.api(member.user_id) as api:
        assert _code(api.delete(f"/media/{media.id}")) == (403, "E_FORBIDDEN")
        assert api.get(f"/media/{media.id}").status_code == 200


def test_status_of_an_item_before_its_text(nexus: LiveNexus, session: Session) -> None:
    viewer = make_user(session)
    media = make_media(session, viewer, processing_status=ProcessingStatus.PENDING)
    with nexus.api(viewer.user_id) as api:
        shown = api.get(f"/media/{media.id}").json()["data"]
        fragments = api.get(f"/media/{media.id}/fragments").json()["data"]["fragments"]
    assert not any(shown["capabilities"].values())
    assert fragments == []

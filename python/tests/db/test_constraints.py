"""What the database itself refuses, whatever the code above it does."""

from typing import Any

import pytest
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from nexus.db.enums import (
    FailureStage,
    HighlightColor,
    MediaKind,
    MembershipRole,
    ProcessingStatus,
    UsageOperation,
)
from nexus.db.models import (
    Account,
    Annotation,
    ApiToken,
    Fragment,
    Highlight,
    Library,
    LibraryMedia,
    Media,
    MediaAlias,
    MediaFile,
    Membership,
    UsageRecord,
    User,
    UserSession,
)
from nexus.services.viewer import Viewer
from tests.factories import make_article, make_library, make_media, make_user


def refused(session: Session, constraint: str) -> Any:
    """The block is refused by this very constraint."""
    return pytest.raises(IntegrityError, match=constraint)


def highlight(user: Viewer, fragment: Fragment, start: int, end: int) -> Highlight:
    return Highlight(
        user_id=user.user_id,
        fragment_id=fragment.id,
        start_offset=start,
        end_offset=end,
        color=HighlightColor.YELLOW,
        exact="x",
        prefix="",
        suffix="",
    )


@pytest.mark.parametrize(
    "change",
    [{"canonical_text": "other"}, {"html_sanitized": "<p>other</p>"}, {"idx": 1}],
    ids=lambda change: next(iter(change)),
)
def test_fragments_cannot_be_updated(session: Session, change: dict[str, Any]) -> None:
    fragment = make_article(session, make_user(session))
    with refused(session, "fragments are immutable"):
        session.execute(update(Fragment).where(Fragment.id == fragment.id).values(**change))


def test_fragments_can_be_deleted(session: Session) -> None:
    fragment = make_article(session, make_user(session))
    session.execute(delete(Fragment).where(Fragment.id == fragment.id))
    session.commit()
    assert session.scalar(select(func.count()).where(Fragment.id == fragment.id)) == 0


def test_one_fragment_per_place(session: Session) -> None:
    fragment = make_article(session, make_user(session))
    session.add(
        Fragment(media_id=fragment.media_id, idx=0, html_sanitized="<p>b</p>", canonical_text="b")
    )
    with refused(session, "uq_fragments_media_id_idx"):
        session.flush()


def test_one_default_library_per_person(session: Session) -> None:
    user = make_user(session)
    session.add(Library(name="Second", owner_user_id=user.user_id, is_default=True))
    with refused(session, "uq_libraries_one_default_per_owner"):
        session.flush()


def test_many_other_libraries_per_person(session: Session) -> None:
    user = make_user(session)
    assert make_library(session, user, name="A").id != make_library(session, user, name="A").id


@pytest.mark.parametrize("name", ["", "x" * 101], ids=["empty", "too long"])
def test_library_name_length(session: Session, name: str) -> None:
    session.add(Library(name=name, owner_user_id=make_user(session).user_id))
    with refused(session, "ck_libraries_name_length"):
        session.flush()


def test_one_item_per_kind_and_canonical_url(session: Session) -> None:
    first, second = make_user(session), make_user(session)
    url = f"https://example.org/{first.user_id}"
    make_media(session, first, canonical_url=url)
    make_media(session, second, canonical_url=url, kind=MediaKind.VIDEO)
    with refused(session, "uq_media_kind_canonical_url"):
        make_media(session, second, canonical_url=url)


def test_items_without_canonical_url_do_not_collide(session: Session) -> None:
    user = make_user(session)
    assert make_media(session, user).id != make_media(session, user).id


def test_one_file_per_creator_kind_and_content(session: Session) -> None:
    first, second = make_user(session), make_user(session)
    same: dict[str, Any] = {"file_sha256": "ab" * 32}
    make_media(session, first, kind=MediaKind.PDF, **same)
    make_media(session, first, kind=MediaKind.EPUB, **same)
    make_media(session, second, kind=MediaKind.PDF, **same)
    with refused(session, "uq_media_creator_kind_file_sha256"):
        make_media(session, first, kind=MediaKind.PDF, **same)


@pytest.mark.parametrize(
    "reason",
    [{}, {"failure_stage": FailureStage.EXTRACT}, {"last_error_code": "E_INGEST_FAILED"}],
    ids=["nothing", "only a stage", "only a code"],
)
def test_failed_needs_a_reason(session: Session, reason: dict[str, Any]) -> None:
    user = make_user(session)
    with refused(session, "ck_media_failed_has_reason"):
        make_media(session, user, processing_status=ProcessingStatus.FAILED, **reason)


def test_failed_with_a_reason(session: Session) -> None:
    make_media(
        session,
        make_user(session),
        processing_status=ProcessingStatus.FAILED,
        failure_stage=FailureStage.EXTRACT,
        last_error_code="E_INGEST_FAILED",
    )


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (3, 3), (4, 3), (0, 0)])
def test_highlight_offsets(session: Session, start: int, end: int) -> None:
    user = make_user(session)
    session.add(highlight(user, make_article(session, user), start, end))
    with refused(session, "chk_offsets_valid"):
        session.flush()


def test_one_highlight_per_person_and_span(session: Session) -> None:
    user, other = make_user(session), make_user(session)
    fragment = make_article(session, user)
    session.add_all(
        [
            highlight(user, fragment, 0, 4),
            highlight(user, fragment, 0, 5),
            highlight(user, fragment, 1, 4),
            highlight(other, fragment, 0, 4),
        ]
    )
    session.commit()
    session.add(highlight(user, fragment, 0, 4))
    with refused(session, "uix_highlights_user_fragment_offsets"):
        session.flush()


@pytest.mark.parametrize("body", ["", "x" * 10_001], ids=["empty", "too long"])
def test_annotation_length(session: Session, body: str) -> None:
    user = make_user(session)
    mark = highlight(user, make_article(session, user), 0, 4)
    session.add(mark)
    session.flush()
    session.add(Annotation(highlight_id=mark.id, user_id=user.user_id, body=body))
    with refused(session, "ck_annotations_body_length"):
        session.flush()


def test_one_annotation_per_highlight(session: Session) -> None:
    user = make_user(session)
    mark = highlight(user, make_article(session, user), 0, 4)
    session.add(mark)
    session.flush()
    session.add_all(
        Annotation(highlight_id=mark.id, user_id=user.user_id, body="note") for _ in range(2)
    )
    with refused(session, "uix_annotations_one_per_highlight"):
        session.flush()


@pytest.mark.parametrize(
    ("statement", "constraint"),
    [
        ("UPDATE media SET kind = 'poem'", "ck_media_kind"),
        ("UPDATE media SET processing_status = 'done'", "ck_media_processing_status"),
        ("UPDATE media SET failure_stage = 'late'", "ck_media_failure_stage"),
        ("UPDATE media SET title = ''", "ck_media_title_length"),
        ("UPDATE memberships SET role = 'owner'", "ck_memberships_role"),
    ],
)
def test_closed_sets(session: Session, statement: str, constraint: str) -> None:
    make_media(session, make_user(session))
    with refused(session, constraint):
        session.execute(text(statement))


def test_account_email_is_lowercase_and_unique(session: Session) -> None:
    first, second = make_user(session), make_user(session)
    email = f"{first.user_id}@example.org"
    session.add(Account(user_id=first.user_id, email=email, password_hash="x"))
    session.commit()
    session.add(Account(user_id=second.user_id, email=email, password_hash="x"))
    with refused(session, "uq_accounts_email"):
        session.flush()
    session.rollback()
    session.add(Account(user_id=second.user_id, email="Upper@example.org", password_hash="x"))
    with refused(session, "ck_accounts_email_lowercase"):
        session.flush()


def everything_of(session: Session, user: Viewer) -> Media:
    """One row in every table, hanging on one person and one item."""
    fragment = make_article(session, user)
    mark = highlight(user, fragment, 0, 4)
    session.add(mark)
    session.flush()
    media_id, user_id = fragment.media_id, user.user_id
    session.add_all(
        [
            Annotation(highlight_id=mark.id, user_id=user_id, body="note"),
            MediaFile(
                media_id=media_id, storage_path=f"m/{media_id}", content_type="x", size_bytes=1
            ),
            MediaAlias(alias_id=user_id, media_id=media_id),
            UsageRecord(
                user_id=user_id, operation=UsageOperation.INGEST_URLS, amount=1, media_id=media_id
            ),
            Account(user_id=user_id, email=f"{user_id}@example.org", password_hash="x"),
            UserSession(token_hash=str(user_id), user_id=user_id, expires_at=func.now()),
            ApiToken(user_id=user_id, name="t", prefix="nxs_", token_hash=str(user_id)),
        ]
    )
    session.commit()
    return session.get_one(Media, media_id)


def rows_left(session: Session, user: Viewer, media: Media) -> set[str]:
    conditions = {
        "users": User.id == user.user_id,
        "accounts": Account.user_id == user.user_id,
        "sessions": UserSession.user_id == user.user_id,
        "api_tokens": ApiToken.user_id == user.user_id,
        "libraries": Library.owner_user_id == user.user_id,
        "memberships": Membership.user_id == user.user_id,
        "library_media": LibraryMedia.media_id == media.id,
        "media": Media.id == media.id,
        "media_file": MediaFile.media_id == media.id,
        "media_aliases": MediaAlias.media_id == media.id,
        "fragments": Fragment.media_id == media.id,
        "highlights": Highlight.user_id == user.user_id,
        "annotations": Annotation.user_id == user.user_id,
        "usage_records": UsageRecord.user_id == user.user_id,
    }
    return {name for name, rule in conditions.items() if session.scalar(select(1).where(rule))}


PEOPLE = {"users", "accounts", "sessions", "api_tokens", "libraries", "memberships"}
MEDIA = {"media", "media_file", "media_aliases", "fragments"}


def test_cascades_from_a_media_row(session: Session) -> None:
    user = make_user(session)
    media = everything_of(session, user)
    assert len(rows_left(session, user, media)) == 14
    session.execute(delete(Media).where(Media.id == media.id))
    session.commit()
    assert rows_left(session, user, media) == PEOPLE | {"usage_records"}


def test_cascades_from_a_person(session: Session) -> None:
    """Their rows go; a shared item stays for everyone else who holds it."""
    user = make_user(session)
    media = everything_of(session, user)
    session.execute(delete(User).where(User.id == user.user_id))
    session.commit()
    assert rows_left(session, user, media) == MEDIA
    session.refresh(media)
    assert media.created_by_user_id is None


def test_cascades_from_a_library(session: Session) -> None:
    owner, guest = make_user(session), make_user(session)
    library = make_library(session, owner, members={guest.user_id: MembershipRole.MEMBER})
    media = make_media(session, owner, library_ids=[library.id])
    session.execute(delete(Library).where(Library.id == library.id))
    session.commit()
    assert not session.scalar(select(1).where(Membership.library_id == library.id))
    assert not session.scalar(select(1).where(LibraryMedia.library_id == library.id))
    assert session.scalar(select(1).where(Media.id == media.id))

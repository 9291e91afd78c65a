"""Words are indexed in the transaction that stores them, wherever that is."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, MembershipRole
from nexus.db.models import (
    Annotation,
    Fragment,
    Highlight,
    LibraryMedia,
    Media,
    Membership,
    SavedAddress,
    SearchBacklog,
    SearchPassage,
    ShelfItem,
)
from nexus.db.task_session import task_session
from nexus.extractors.interface import Document, FragmentText, Job, Metadata
from nexus.html.sanitize import SanitizedHtml
from nexus.schemas.highlights import CreateHighlightRequest, HighlightOut, UpdateHighlightRequest
from nexus.schemas.shelf import MineRequest
from nexus.services import media_lifecycle
from nexus.services.annotations import delete_annotation, put_annotation
from nexus.services.document_store import store_document
from nexus.services.highlight_undo import restore_highlight
from nexus.services.highlight_write import create_highlight, delete_highlight, update_highlight
from nexus.services.library_media import add_media_to_library, attach_media
from nexus.services.media_create import create_from_url
from nexus.services.media_removal import remove_media, restore_media
from nexus.services.search_backlog import TRY_AGAIN_AFTER, Backlog, count_backlog, index_some
from nexus.services.shelf import change_mine
from nexus.services.tags import delete_tag, rename_tag
from nexus.services.viewer import Viewer
from nexus.services.visibility import media_visible_to
from tests.factories import make_article, make_library, make_media, make_user
from tests.highlights import highlight_body

TEXT = "Four legs good, two legs bad. Die Häuser 動物農場"


@pytest.fixture
def viewer(session: Session) -> Viewer:
    return make_user(session)


def store(session: Session, viewer: Viewer, *texts: str, url: str = "", **fields: Any) -> Media:
    """An article, saved and read as a worker does it."""
    url = url or f"https://www.farm{uuid4().hex}.example/animals"
    saved = create_from_url(session, viewer, kind="web_article", url=url)
    media_lifecycle.worker_start_attempt(session, saved.media_id)
    document = Document(
        tuple(FragmentText(SanitizedHtml("<p></p>"), each) for each in texts),
        **{"title": "Animal Farm", "metadata": Metadata(authors=("George Orwell",)), **fields},
    )
    job = Job(saved.media_id, 1, MediaKind.WEB_ARTICLE, url=url)
    store_document(session, job, document, canonical_url=None, actor_user_id=viewer.user_id)
    session.commit()
    return session.get_one(Media, saved.media_id)


def found(session: Session, viewer: Viewer, query: str) -> set[UUID]:
    """The items that a person can see whose passages match."""
    libraries = select(Membership.library_id).where(Membership.user_id == viewer.user_id)
    matching = select(SearchPassage.media_id).where(
        SearchPassage.library_ids.overlap(session.scalars(libraries).all()),
        SearchPassage.words.op("@@")(text("CAST(:query AS tsquery)")),
        media_visible_to(SearchPassage.media_id, viewer.user_id),
    )
    return set(session.scalars(matching, {"query": query}))


def library_ids(session: Session, media_id: UUID) -> set[UUID]:
    ids = select(SearchPassage.library_ids).where(SearchPassage.media_id == media_id)
    return set(session.scalars(ids).one())


def shelf_words(session: Session, viewer: Viewer, media_id: UUID) -> str:
    session.expire_all()
    return session.get_one(ShelfItem, (viewer.user_id, media_id)).words or ""


def test_a_stored_document_is_found(session: Session, viewer: Viewer) -> None:
    media = store(session, viewer, "Some beginning.", TEXT)
    passages = session.scalars(
        select(SearchPassage)
        .where(SearchPassage.media_id == media.id)
        .order_by(SearchPassage.start_offset)
    ).all()
    assert [(each.start_offset, each.end_offset) for each in passages] == [(0, 14), (0, len(TEXT))]
    assert {each.dictionary for each in passages} == {"english_stem"}
    for query in (
        "leg & good",
        "legs <-> good",
        "hauser",
        "物農",
        "orwell:B & bad",
        "farm:A & leg:D",
        "example",
    ):
        assert found(session, viewer, query) == {media.id}, query
    # Neither a phrase from the title into the text, nor an address that is nobody's name for it.
    assert not found(
        session, viewer, "farm <-> four | orwell <-> example | farm <-> george | https"
    )
    assert not found(session, make_user(session), "leg")


def test_stems_are_those_of_the_language(session: Session, viewer: Viewer) -> None:
    media = store(session, viewer, "Viele Häuser", metadata=Metadata(language="de-AT"))
    assert found(session, viewer, "haus") == {media.id}


def test_a_document_that_is_not_stored_is_not_indexed(session: Session, viewer: Viewer) -> None:
    saved = create_from_url(session, viewer, kind="web_article", url="https://farm.example/late")
    job = Job(saved.media_id, 7, MediaKind.WEB_ARTICLE)
    document = Document((FragmentText(SanitizedHtml("<p></p>"), TEXT),))
    assert store_document(session, job, document, canonical_url=None, actor_user_id=None) == (
        "outdated"
    )
    assert not session.scalars(
        select(SearchPassage).where(SearchPassage.media_id == saved.media_id)
    ).all()


def test_libraries_of_an_item_are_kept(session: Session, viewer: Viewer) -> None:
    media, other = store(session, viewer, TEXT), store(session, viewer, TEXT)
    friend, stranger = make_user(session), make_user(session)
    shared = make_library(session, viewer, members={friend.user_id: MembershipRole.MEMBER})
    assert not found(session, friend, "leg")
    add_media_to_library(session, viewer, library_id=shared.id, media_id=media.id)
    session.commit()
    assert found(session, friend, "leg") == {media.id}
    assert found(session, viewer, "leg") == {media.id, other.id}
    assert not found(session, stranger, "leg")
    session.execute(delete(LibraryMedia).where(LibraryMedia.library_id == shared.id))
    session.commit()
    assert not found(session, friend, "leg")
    assert found(session, viewer, "leg") == {media.id, other.id}


def test_only_libraries_that_somebody_needs_are_added(session: Session, viewer: Viewer) -> None:
    """Each one writes all words of the item into the index again."""
    media, private = store(session, viewer, TEXT), make_library(session, viewer)
    add_media_to_library(session, viewer, library_id=private.id, media_id=media.id)
    session.commit()
    assert library_ids(session, media.id) == {viewer.default_library_id}
    friend = make_user(session)
    role = MembershipRole.MEMBER
    session.add(Membership(library_id=private.id, user_id=friend.user_id, role=role))
    session.commit()
    assert library_ids(session, media.id) == {viewer.default_library_id, private.id}
    assert found(session, friend, "leg") == {media.id}


def test_libraries_that_lost_an_item_go_when_it_is_indexed_again(
    session: Session, viewer: Viewer
) -> None:
    media, friend = store(session, viewer, TEXT), make_user(session)
    attach_media(session, library_id=friend.default_library_id, media_id=media.id)
    session.commit()
    both = {viewer.default_library_id, friend.default_library_id}
    assert library_ids(session, media.id) == both
    remove_media(session, viewer, media_id=media.id)
    session.commit()
    assert library_ids(session, media.id) == both
    index_some(task_session, seconds=60)
    assert library_ids(session, media.id) == {friend.default_library_id}
    restore_media(session, viewer, media_id=media.id)
    assert library_ids(session, media.id) == both


def highlighted(
    session: Session, viewer: Viewer, media: Media, start: int, end: int
) -> HighlightOut:
    fragment_id = session.scalars(select(Fragment.id).where(Fragment.media_id == media.id)).one()
    request = CreateHighlightRequest(id=uuid4(), **highlight_body(TEXT, start, end))
    made, _ = create_highlight(session, viewer, fragment_id=fragment_id, request=request)
    return made


def test_removal_and_undo(session: Session, viewer: Viewer) -> None:
    media = store(session, viewer, TEXT)
    highlight = highlighted(session, viewer, media, 0, 9)
    remove_media(session, viewer, media_id=media.id)
    session.commit()
    assert not found(session, viewer, "leg")
    restore_media(session, viewer, media_id=media.id)
    session.commit()
    assert found(session, viewer, "leg") == {media.id}
    assert session.get_one(Highlight, highlight.id).words == "'four':1 'leg':2 'legs':2"
    assert "'farm':" in shelf_words(session, viewer, media.id)


def test_highlights_and_notes(session: Session, viewer: Viewer) -> None:
    media = store(session, viewer, TEXT)
    highlight = highlighted(session, viewer, media, 0, 4)
    row = session.get_one(Highlight, highlight.id)
    assert row.words == "'four':1"
    moved = UpdateHighlightRequest(**highlight_body(TEXT, 5, 9))
    update_highlight(session, viewer, highlight_id=row.id, request=moved)
    session.refresh(row, ["words"])
    assert row.words == "'leg':1 'legs':1"
    for body in ("Noted", "Noting pigs"):
        put_annotation(session, viewer, highlight_id=row.id, body=body)
    note = select(Annotation.words).where(Annotation.highlight_id == row.id)
    assert session.scalar(note) == "'note':1 'noting':1 'pig':2 'pigs':2"
    session.commit()
    delete_highlight(session, viewer, highlight_id=row.id)
    session.commit()
    restore_highlight(session, viewer, highlight_id=row.id)
    assert session.get_one(Highlight, highlight.id).words == "'leg':1 'legs':1"
    assert session.scalar(note) == "'note':1 'noting':1 'pig':2 'pigs':2"
    delete_annotation(session, viewer, highlight_id=row.id)


def test_what_is_not_read_yet_is_known_by_its_own_address(session: Session, viewer: Viewer) -> None:
    url = f"https://www.farm{uuid4().hex}.example/animals?page=7&token=secret"
    saved = create_from_url(session, viewer, kind="web_article", url=url)
    session.commit()
    assert "'secret':" in shelf_words(session, viewer, saved.media_id)
    friend = make_user(session)
    shared = make_library(session, viewer, members={friend.user_id: MembershipRole.MEMBER})
    add_media_to_library(session, viewer, library_id=shared.id, media_id=saved.media_id)
    session.commit()
    assert shelf_words(session, friend, saved.media_id) == ""


def test_a_page_without_a_title_does_not_tell_its_address(session: Session, viewer: Viewer) -> None:
    url = f"https://www.farm{uuid4().hex}.example/?token=secret"
    media = store(session, viewer, TEXT, title=None, url=url)
    assert media.words is None
    assert not found(session, viewer, "secret")
    assert found(session, viewer, "orwell & leg") == {media.id}


def test_shelves_have_title_authors_and_tags(session: Session, viewer: Viewer) -> None:
    media = store(session, viewer, TEXT)
    assert "'animal':1A 'animals'" not in shelf_words(session, viewer, media.id)
    assert "'animal':1A" in shelf_words(session, viewer, media.id)
    assert "'orwell':14B" in shelf_words(session, viewer, media.id)
    mine = MineRequest(tags=["Novels", "Farms"])
    change_mine(session, viewer, media_id=media.id, request=mine)
    assert "'novel':" in shelf_words(session, viewer, media.id)
    rename_tag(session, viewer, name="novels", new_name="Classics")
    renamed = shelf_words(session, viewer, media.id)
    assert "'classic':" in renamed
    assert "'novel':" not in renamed
    rename_tag(session, viewer, name="classics", new_name="farms")
    merged = shelf_words(session, viewer, media.id)
    assert "'farms':" in merged
    assert "'classic':" not in merged
    delete_tag(session, viewer, name="Farms")
    assert "'farms':" not in shelf_words(session, viewer, media.id)
    assert "'animal':1A" in shelf_words(session, viewer, media.id)


def test_new_members_see_names(session: Session, viewer: Viewer) -> None:
    media, friend = store(session, viewer, TEXT), make_user(session)
    library = make_library(session, viewer)
    add_media_to_library(session, viewer, library_id=library.id, media_id=media.id)
    session.add(
        Membership(library_id=library.id, user_id=friend.user_id, role=MembershipRole.MEMBER)
    )
    session.commit()
    assert "'animal':1A" in shelf_words(session, friend, media.id)
    assert found(session, friend, "leg") == {media.id}


class TestBacklog:
    @pytest.fixture(autouse=True)
    def only_ours(self, session: Session) -> None:
        session.execute(delete(SearchBacklog))
        session.commit()

    def forget(self, session: Session, *media_ids: UUID) -> None:
        """As a database of an earlier release is after the migration."""
        session.execute(delete(SearchPassage).where(SearchPassage.media_id.in_(media_ids)))
        for model in (Highlight, Annotation, SavedAddress):
            session.execute(update(model).values(words=None))
        session.execute(update(Media).values(words=None))
        session.execute(update(ShelfItem).values(words=None))
        session.add_all(SearchBacklog(media_id=media_id) for media_id in media_ids)
        session.commit()

    def test_it_is_worked_off(self, session: Session, viewer: Viewer) -> None:
        media = store(session, viewer, TEXT)
        fragment = session.scalars(select(Fragment).where(Fragment.media_id == media.id)).one()
        request = CreateHighlightRequest(id=uuid4(), **highlight_body(TEXT, 0, 9))
        create_highlight(session, viewer, fragment_id=fragment.id, request=request)
        put_annotation(session, viewer, highlight_id=request.id, body="Noted")
        pending = create_from_url(
            session, viewer, kind="web_article", url="https://farm.example/pending"
        )
        self.forget(session, media.id, pending.media_id)
        dates = (
            select(Media.updated_at, Highlight.updated_at)
            .join(Fragment, Fragment.media_id == Media.id)
            .join(Highlight, Highlight.fragment_id == Fragment.id)
            .where(Highlight.id == request.id)
        )
        changed = session.execute(dates).one()
        assert count_backlog(session) == Backlog(waiting=2, failed=0)
        assert not index_some(task_session, seconds=60)
        session.rollback()
        assert count_backlog(session) == Backlog(waiting=0, failed=0)
        assert found(session, viewer, "leg & orwell") == {media.id}
        assert session.get_one(Highlight, request.id).words == "'four':1 'leg':2 'legs':2"
        note = select(Annotation.words).where(Annotation.highlight_id == request.id)
        assert session.scalar(note) == "'note':1 'noted':1"
        assert "'animal':1A" in shelf_words(session, viewer, media.id)
        assert "'pending':" in shelf_words(session, viewer, pending.media_id)
        assert session.execute(dates).one() == changed

    def test_one_that_stopped_the_worker_does_not_stop_the_others(
        self, session: Session, viewer: Viewer
    ) -> None:
        bad, good = make_media(session, viewer), make_article(session, viewer, text=TEXT).media_id
        self.forget(session, bad.id, good)
        tried = update(SearchBacklog).where(SearchBacklog.media_id == bad.id)
        session.execute(tried.values(tried_at=func.now() - TRY_AGAIN_AFTER / 2))
        session.commit()
        assert not index_some(task_session, seconds=60)
        session.rollback()
        assert found(session, viewer, "leg") == {good}
        assert count_backlog(session) == Backlog(waiting=0, failed=1)
        session.execute(tried.values(tried_at=func.now() - 2 * TRY_AGAIN_AFTER))
        session.commit()
        assert not index_some(task_session, seconds=60)
        session.rollback()
        assert count_backlog(session) == Backlog(waiting=0, failed=0)

    def test_two_workers_take_turns(self, session: Session, viewer: Viewer) -> None:
        self.forget(session, make_media(session, viewer).id)
        with task_session() as other:
            other.execute(text("SELECT pg_advisory_xact_lock(8420003)"))
            assert not index_some(task_session, seconds=60)
        assert count_backlog(session) == Backlog(waiting=1, failed=0)
        assert index_some(task_session, seconds=0)

"""Saving an address: get or create its item, put it into the viewer's library, enqueue."""

from functools import cache

from sqlalchemy import Select, bindparam, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningInsert

from nexus.db.enums import MediaKind, ProcessingStatus, UsageOperation
from nexus.db.models import Media
from nexus.egress.url_parse import UrlError, WebUrl
from nexus.errors import InvalidRequestError, UnavailableError
from nexus.extractors.kinds import FILE_KINDS, KINDS
from nexus.schemas.media import MediaFromUrlOut
from nexus.services import media_lifecycle
from nexus.services.background_turns import take_to_foreground
from nexus.services.enqueue import enqueue
from nexus.services.ingest_turns import join_queue
from nexus.services.library_media import ensure_in_default_library
from nexus.services.quota import record_usage, require_quota, require_room_in_queue
from nexus.services.saved_addresses import find_saved, remember_address
from nexus.services.titles import clean_title
from nexus.services.url import canonicalize_url, validate_url
from nexus.services.url_normalize import normalize_url_for_display
from nexus.services.viewer import Viewer
from nexus.services.youtube import PROVIDER as YOUTUBE
from nexus.services.youtube import youtube_video

_URL_KINDS = {kind.kind.value: kind.kind for kind in KINDS.values() if kind.by_address}
# An item can vanish between finding and locking it, if its last reader removes it just then.
_TRIES = 5


def create_from_url(session: Session, viewer: Viewer, *, kind: str, url: str) -> MediaFromUrlOut:
    """Get or create the item of an address; a failed one is retried.

    `created` says whether it is new to this person.
    """
    media_kind = _URL_KINDS.get(kind)
    if media_kind is None:
        raise InvalidRequestError(
            f"kind: must be one of {', '.join(_URL_KINDS)}", code="E_INVALID_KIND"
        )
    parsed = validate_url(url)
    identity = identity_of(media_kind, parsed)
    require_quota(session, user_id=viewer.user_id, operation=UsageOperation.INGEST_URLS, amount=1)
    fields: dict[str, object] = {
        "kind": media_kind,
        "title": clean_title(url),
        "requested_url": url,
        "canonical_source_url": normalize_url_for_display(url),
        "created_by_user_id": viewer.user_id,
        **identity,
    }
    canonical = identity["canonical_url"]
    assert canonical is not None
    addresses = shared_addresses(media_kind, parsed, canonical)
    media, created = _get_or_create(session, viewer, url=url, addresses=addresses, fields=fields)
    new_to_viewer = ensure_in_default_library(session, user_id=viewer.user_id, media_id=media.id)
    remember_address(session, media, user_id=viewer.user_id, requested_url=url)
    revived = media.processing_status is ProcessingStatus.FAILED
    if revived:
        media_lifecycle.revive_media(session, media.id)
        media.queued_for_user_id = viewer.user_id
    pending = not revived and media.processing_status is ProcessingStatus.PENDING
    awaited = pending and take_to_foreground(session, media)
    if pending:
        join_queue(session, media, user_id=viewer.user_id, awaited=awaited)
    if created or revived or awaited:
        require_room_in_queue(session, user_id=viewer.user_id)
    if created:
        record_usage(
            session,
            user_id=viewer.user_id,
            operation=UsageOperation.INGEST_URLS,
            amount=1,
            media_id=media.id,
        )
    # Whether anybody else has the page is not for this person to learn.
    enqueued = enqueue(session, media, actor_user_id=viewer.user_id)
    return MediaFromUrlOut(media_id=media.id, created=new_to_viewer, enqueued=enqueued)


def identity_of(kind: MediaKind, url: WebUrl) -> dict[str, str | None]:
    """What makes an address the same item for everybody."""
    try:
        video = youtube_video(url) if kind is MediaKind.VIDEO else None
    except UrlError as error:
        raise InvalidRequestError(f"url: {error}", code="E_INVALID_URL") from None
    if video is not None:
        return {
            "canonical_url": video.watch_url,
            "external_playback_url": video.watch_url,
            "provider": YOUTUBE,
            "provider_id": video.video_id,
        }
    canonical = canonicalize_url(url)
    playback = canonical if kind is MediaKind.VIDEO else None
    return {"canonical_url": canonical, "external_playback_url": playback}


def shared_addresses(kind: MediaKind, url: WebUrl, canonical: str) -> list[str]:
    """The identities under which anyone's save of this address may be filed, the best first.

    An `http` address also finds the page served over `https`, never the other way round.
    """
    if kind is not MediaKind.WEB_ARTICLE:
        return [canonical]
    written = [canonical, url.href.partition("#")[0]]
    secure = [f"https:{address.partition(':')[2]}" for address in written]
    return list(dict.fromkeys([*written, *secure]))


def _get_or_create(
    session: Session,
    viewer: Viewer,
    *,
    url: str,
    addresses: list[str],
    fields: dict[str, object],
) -> tuple[Media, bool]:
    kind = MediaKind(str(fields["kind"]))
    for _ in range(_TRIES):
        own = find_saved(session, user_id=viewer.user_id, kind=kind, url=url)
        media = own or _hold(session, kind=kind, addresses=addresses)
        if media is not None:
            return media, False
        created = session.scalars(_new_item(), fields).one_or_none()
        if created is not None:
            return created, True
    raise UnavailableError("Somebody else is changing this item right now. Try again in a moment.")


@cache
def _new_item() -> ReturningInsert[Media]:
    """Built once, as that of `_hold`: every save needs them."""
    return (
        insert(Media)
        .on_conflict_do_nothing(
            index_elements=[Media.kind, Media.canonical_url],
            index_where=Media.canonical_url.is_not(None),
        )
        .returning(Media)
    )


def _hold(session: Session, *, kind: MediaKind, addresses: list[str]) -> Media | None:
    """The existing item, kept from being deleted until it is in the viewer's library.

    The strongest lock at once: people who save a failed item together must revive it in turn.
    """
    # What was saved as a page may have turned out to be a file.
    kinds = {kind, *FILE_KINDS} if kind is MediaKind.WEB_ARTICLE else {kind}
    values = {"kinds": sorted(kinds), "addresses": addresses}
    found = session.scalars(_filed_under(), values).all()
    return min(found, key=lambda media: addresses.index(media.canonical_url or ""), default=None)


@cache
def _filed_under() -> Select[Media]:
    return (
        select(Media)
        .where(
            Media.kind.in_(bindparam("kinds", expanding=True)),
            Media.canonical_url.in_(bindparam("addresses", expanding=True)),
        )
        .order_by(Media.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )

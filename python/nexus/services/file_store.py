"""The final write of an address that turned out to be a file: its item becomes one of that kind.

The file is kept once for each address, shared as the text of a page is; nobody ever gets to see
what another person uploaded.
"""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import ProcessingStatus
from nexus.db.models import Media, MediaFile, RemovedMedia, SavedAddress
from nexus.extractors.download import Download
from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import ExtractionError, Job, TransientExtractionError
from nexus.services import media_lifecycle
from nexus.services.document_store import Outcome
from nexus.services.enqueue import enqueue
from nexus.services.media_merge import hold, merge_media, take_identity
from nexus.services.media_personal import readers
from nexus.services.saved_addresses import remember_final_address
from nexus.services.search_names import name_item
from nexus.services.titles import clean_title
from nexus.services.url_normalize import normalize_url_for_dedup, normalize_url_for_display
from nexus.storage import StorageClient
from nexus.storage.errors import ObjectTooLarge, StorageFull, StorageUnavailable
from nexus.storage.paths import object_path


def store_file(
    session: Session,
    job: Job,
    file: Download,
    storage: StorageClient,
    *,
    actor_user_id: UUID | None,
) -> Outcome:
    """Make the item the file, or merge it into the one that already is.

    Under the fence of the attempt: one that is no longer current writes nothing. The bytes are
    written under it too, because every attempt writes them to the same place.
    """
    media = media_lifecycle.lock_current_attempt(session, job.media_id, attempt=job.attempt)
    if media is None:
        return "outdated"
    canonical_url = normalize_url_for_dedup(file.url)
    owner = _only_person(session, media)
    same = take_identity(
        session,
        media,
        lambda: _same_file(session, file, owner=owner, canonical_url=canonical_url),
        kind=file.kind,
        canonical_url=canonical_url,
        file_sha256=file.sha256,
        created_by_user_id=owner,
    )
    if same is None:
        _become(session, media, file, storage, attempt=job.attempt)
        _welcome(session, media, file, actor_user_id=actor_user_id)
        return "stored"
    merge_media(session, loser=media, winner=same, reader_id=actor_user_id)
    _welcome(session, same, file, actor_user_id=actor_user_id)
    return "merged"


def _only_person(session: Session, media: Media) -> UUID | None:
    """Who saved the item, if nobody else has anything to do with it."""
    people = readers(session, media_id=media.id)
    for model in (SavedAddress, RemovedMedia):
        people |= set(session.scalars(select(model.user_id).where(model.media_id == media.id)))
    return people.pop() if len(people) == 1 else None


def _same_file(
    session: Session, file: Download, *, owner: UUID | None, canonical_url: str
) -> Media | None:
    """The item of this address, or else the person's own with the same bytes; locked."""
    found = select(Media).where(Media.kind == file.kind)
    shared = hold(session, found.where(Media.canonical_url == canonical_url))
    if shared is not None or owner is None:
        return shared
    return hold(
        session,
        found.where(Media.created_by_user_id == owner, Media.file_sha256 == file.sha256),
    )


def _become(
    session: Session, media: Media, file: Download, storage: StorageClient, *, attempt: int
) -> None:
    path = object_path(media.id, file.type.extension, prefix=get_settings().storage_prefix)
    _put(storage, path, file)
    media.title = clean_title(file.name)
    media.canonical_source_url = normalize_url_for_display(file.url)
    name_item(session, media)
    session.add(
        MediaFile(
            media_id=media.id,
            storage_path=path,
            content_type=file.type.content_type,
            size_bytes=file.size_bytes,
        )
    )
    media_lifecycle.return_as_file(session, media.id, attempt=attempt)


def _put(storage: StorageClient, path: str, file: Download) -> None:
    try:
        # What an attempt left that died before its commit.
        storage.delete(path)
        storage.put(
            path,
            content_type=file.type.content_type,
            size_bytes=file.size_bytes,
            chunks=file.chunks(),
        )
    except ObjectTooLarge as error:
        message = f"{str(error).capitalize()}."
        raise ExtractionError(message, code=FailureCode.FILE_TOO_LARGE) from error
    except StorageFull as error:
        raise ExtractionError(code=FailureCode.STORAGE_FULL) from error
    except StorageUnavailable as error:
        message = "The file store does not respond right now. Try again later."
        raise TransientExtractionError(message, code=FailureCode.INGEST_FAILED) from error


def _welcome(session: Session, media: Media, file: Download, *, actor_user_id: UUID | None) -> None:
    """Everyone who saved it finds it by its own address, and it is read if it can be."""
    remember_final_address(session, media, final_url=file.url)
    if media.processing_status is ProcessingStatus.FAILED:
        media_lifecycle.revive_media(session, media.id)
    enqueue(session, media, actor_user_id=actor_user_id)

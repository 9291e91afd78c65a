"""What people save: the media row (which is also the ingestion job), its file, its text."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    Computed,
    ForeignKey,
    Index,
    Text,
    UniqueConstraint,
    false,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from nexus.db.base import Base, HasCreatedAt, HasId, HasTimestamps, checked_enum
from nexus.db.enums import FailureStage, MediaKind, ProcessingStatus

# The first images of an article are worth measuring in advance; few readers get further.
_WAITS_TO_BE_MEASURED = "width IS NULL AND tried_at IS NULL AND idx < 40"
_WAITS_TO_BE_READ = (
    "processing_status = 'pending' AND kind = 'web_article' AND background_site IS NULL"
)
_WAITS_IN_BACKGROUND = (
    "processing_status = 'pending' AND kind = 'web_article' AND background_site IS NOT NULL"
)


def _creator(context: Any) -> UUID | None:
    """The item waits in its creator's turn, unless somebody else is named."""
    return context.get_current_parameters().get("created_by_user_id")  # type: ignore[no-any-return]


class Media(HasId, HasTimestamps, Base):
    """One saved item. State columns are changed by `services.media_lifecycle` alone."""

    __tablename__ = "media"

    kind: Mapped[MediaKind] = mapped_column(checked_enum(MediaKind, name="kind"))
    title: Mapped[str]
    requested_url: Mapped[str | None]
    canonical_url: Mapped[str | None]
    canonical_source_url: Mapped[str | None]
    external_playback_url: Mapped[str | None]
    provider: Mapped[str | None]
    provider_id: Mapped[str | None]
    file_sha256: Mapped[str | None]
    # Shared items outlive the account that saved them first.
    created_by_user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL")
    )
    queued_for_user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), default=_creator
    )
    """Whose turn in the queue the item takes, see `services.ingest_turns`."""
    background_site: Mapped[str | None]
    """The host of an imported page that nobody waits for, see `services.background_turns`."""

    processing_status: Mapped[ProcessingStatus] = mapped_column(
        checked_enum(ProcessingStatus, name="processing_status"),
        default=ProcessingStatus.PENDING,
        server_default=text("'pending'"),
    )
    processing_attempts: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    # Attempts cut off by a fault of ours, which do not count as the person's retries.
    interrupted_attempts: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    # Of those, the ones since somebody last requested the item.
    interruptions: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    processing_started_at: Mapped[datetime | None]
    processing_completed_at: Mapped[datetime | None]
    lease_expires_at: Mapped[datetime | None]
    # A pending item that was cut off is not started again before this time.
    not_before: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]
    failure_stage: Mapped[FailureStage | None] = mapped_column(
        checked_enum(FailureStage, name="failure_stage")
    )
    last_error_code: Mapped[str | None]
    last_error_message: Mapped[str | None]

    # What the page or file declares about itself, see `extractors.interface.Metadata`.
    authors: Mapped[list[str]] = mapped_column(
        ARRAY(Text), default=list, server_default=text("'{}'")
    )
    site_name: Mapped[str | None]
    published_at: Mapped[str | None]
    language: Mapped[str | None]
    excerpt: Mapped[str | None]
    lead_image_url: Mapped[str | None]
    word_count: Mapped[int | None]
    page_count: Mapped[int | None]
    words: Mapped[str | None] = mapped_column(TSVECTOR, deferred=True)
    """Of title, authors and site; null while its only name is an address."""

    @classmethod
    def waits_to_be_fetched(cls) -> ColumnElement[bool]:
        return text(_WAITS_TO_BE_READ)  # type: ignore[return-value]

    @classmethod
    def waits_in_background(cls) -> ColumnElement[bool]:
        return text(_WAITS_IN_BACKGROUND)  # type: ignore[return-value]

    @classmethod
    def is_due(cls) -> ColumnElement[bool]:
        return cls.not_before.is_(None) | (cls.not_before <= func.clock_timestamp())

    __table_args__ = (
        CheckConstraint(
            "processing_status <> 'failed' OR "
            "(failure_stage IS NOT NULL AND last_error_code IS NOT NULL)",
            name="failed_has_reason",
        ),
        CheckConstraint("char_length(title) BETWEEN 1 AND 1000", name="title_length"),
        Index(
            "uq_media_kind_canonical_url",
            "kind",
            "canonical_url",
            unique=True,
            postgresql_where=text("canonical_url IS NOT NULL"),
        ),
        Index(
            "uq_media_creator_kind_file_sha256",
            "created_by_user_id",
            "kind",
            "file_sha256",
            unique=True,
            postgresql_where=text("file_sha256 IS NOT NULL"),
        ),
        # The sweeper reads only unfinished work, which stays small however much is saved.
        Index(
            "ix_media_unfinished",
            "processing_status",
            "updated_at",
            postgresql_where=text("processing_status IN ('pending', 'extracting')"),
        ),
        # The few items that cannot be read, for lists of those.
        Index(
            "ix_media_not_ready",
            "processing_status",
            postgresql_where=text("processing_status <> 'ready_for_reading'"),
        ),
        # For the sweeper: what was forgotten, among thousands of imported pages.
        Index(
            "ix_media_pending",
            "kind",
            "updated_at",
            postgresql_where=text("processing_status = 'pending'"),
        ),
        Index(
            "ix_media_waiting",
            "queued_for_user_id",
            "updated_at",
            postgresql_where=text(_WAITS_TO_BE_READ),
        ),
        Index(
            "ix_media_background",
            "queued_for_user_id",
            "background_site",
            "updated_at",
            postgresql_where=text(_WAITS_IN_BACKGROUND),
        ),
    )


class MediaFile(Base):
    """Where the original file of a PDF or EPUB is stored. At most one per item."""

    __tablename__ = "media_file"

    media_id: Mapped[UUID] = mapped_column(
        ForeignKey("media.id", ondelete="CASCADE"), primary_key=True
    )
    storage_path: Mapped[str] = mapped_column(unique=True)
    content_type: Mapped[str]
    size_bytes: Mapped[int] = mapped_column(BigInteger)


class MediaPicture(Base):
    """A picture that belongs to the text of an item, stored beside its file."""

    __tablename__ = "media_pictures"

    media_id: Mapped[UUID] = mapped_column(
        ForeignKey("media.id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(primary_key=True)
    """The SHA-256 of its bytes and an extension, as in the text."""
    storage_path: Mapped[str] = mapped_column(unique=True)
    size_bytes: Mapped[int] = mapped_column(BigInteger)


class PendingUpload(HasCreatedAt, Base):
    """An announced upload. It becomes a `media_file` when the bytes match."""

    __tablename__ = "pending_uploads"

    media_id: Mapped[UUID] = mapped_column(
        ForeignKey("media.id", ondelete="CASCADE"), primary_key=True
    )
    storage_path: Mapped[str]
    content_type: Mapped[str]
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class MediaAlias(HasCreatedAt, Base):
    """The id of an item that was merged into another, so that a client polling it finds it."""

    __tablename__ = "media_aliases"

    alias_id: Mapped[UUID] = mapped_column(primary_key=True)
    media_id: Mapped[UUID] = mapped_column(ForeignKey("media.id", ondelete="CASCADE"), index=True)


class Fragment(HasId, HasCreatedAt, Base):
    """The readable text that highlights refer to. A trigger refuses every update."""

    __tablename__ = "fragments"

    media_id: Mapped[UUID] = mapped_column(ForeignKey("media.id", ondelete="CASCADE"))
    idx: Mapped[int]
    html_sanitized: Mapped[str]
    canonical_text: Mapped[str]
    label: Mapped[str | None]
    length: Mapped[int] = mapped_column(Computed("char_length(canonical_text)", persisted=True))

    __table_args__ = (UniqueConstraint("media_id", "idx"),)


class MediaOutline(Base):
    """The table of contents, the pages and the start of an item, as places in its fragments."""

    __tablename__ = "media_outlines"

    media_id: Mapped[UUID] = mapped_column(
        ForeignKey("media.id", ondelete="CASCADE"), primary_key=True
    )
    contents: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    pages: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    fingerprint: Mapped[str | None]
    """What the file calls itself."""
    extractor_version: Mapped[str | None]
    """What read the text, where another version might read it differently."""
    start: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    fixed_layout: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Made for pages whose layout is not kept."""


class FragmentImage(HasCreatedAt, Base):
    """An image of a text and how large it is. Beside the text, which never changes."""

    __tablename__ = "fragment_images"

    fragment_id: Mapped[UUID] = mapped_column(
        ForeignKey("fragments.id", ondelete="CASCADE"), primary_key=True
    )
    idx: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str]
    width: Mapped[int | None]
    height: Mapped[int | None]
    measured: Mapped[bool] = mapped_column(server_default=false())
    """Measured from the image itself, not only declared by the page."""
    tried_at: Mapped[datetime | None]

    @classmethod
    def waits_to_be_measured(cls) -> ColumnElement[bool]:
        return text(_WAITS_TO_BE_MEASURED)  # type: ignore[return-value]

    __table_args__ = (
        CheckConstraint("(width IS NULL) = (height IS NULL)", name="size_is_whole"),
        CheckConstraint("width > 0 AND height > 0", name="size_is_positive"),
        # Addresses may be longer than a B-tree takes.
        Index(None, "address", postgresql_using="hash"),
        Index(
            "ix_fragment_images_waiting",
            "created_at",
            "idx",
            postgresql_where=text(_WAITS_TO_BE_MEASURED),
        ),
    )

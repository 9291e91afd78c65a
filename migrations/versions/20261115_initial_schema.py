"""The whole schema: people, libraries, media, text, highlights.

Revision ID: 20261115_initial_schema
Revises: nothing
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261115_initial_schema"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
    )
    op.create_table(
        "accounts",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("email = lower(email)", name=op.f("ck_accounts_email_lowercase")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_accounts_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("email", name=op.f("uq_accounts_email")),
    )
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_api_tokens_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_tokens_token_hash")),
    )
    op.create_index(
        op.f("ix_api_tokens_user_id_created_at"),
        "api_tokens",
        ["user_id", "created_at"],
        unique=False,
    )
    op.create_table(
        "libraries",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("owner_user_id", sa.Uuid(), nullable=False),
        sa.Column("is_default", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "char_length(name) BETWEEN 1 AND 100", name=op.f("ck_libraries_name_length")
        ),
        sa.ForeignKeyConstraint(
            ["owner_user_id"],
            ["users.id"],
            name=op.f("fk_libraries_owner_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_libraries")),
    )
    op.create_index(
        op.f("ix_libraries_owner_user_id"), "libraries", ["owner_user_id"], unique=False
    )
    op.create_index(
        "uq_libraries_one_default_per_owner",
        "libraries",
        ["owner_user_id"],
        unique=True,
        postgresql_where=sa.text("is_default"),
    )
    op.create_table(
        "media",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "web_article",
                "epub",
                "pdf",
                "video",
                "podcast_episode",
                name="kind",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("requested_url", sa.Text(), nullable=True),
        sa.Column("canonical_url", sa.Text(), nullable=True),
        sa.Column("canonical_source_url", sa.Text(), nullable=True),
        sa.Column("external_playback_url", sa.Text(), nullable=True),
        sa.Column("provider", sa.Text(), nullable=True),
        sa.Column("provider_id", sa.Text(), nullable=True),
        sa.Column("file_sha256", sa.Text(), nullable=True),
        sa.Column("created_by_user_id", sa.Uuid(), nullable=True),
        sa.Column(
            "processing_status",
            sa.Enum(
                "pending",
                "extracting",
                "ready_for_reading",
                "embedding",
                "ready",
                "failed",
                name="processing_status",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            server_default=sa.text("'pending'"),
            nullable=False,
        ),
        sa.Column("processing_attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("processing_started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("processing_completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "failure_stage",
            sa.Enum(
                "upload",
                "extract",
                "transcribe",
                "embed",
                "other",
                name="failure_stage",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=True,
        ),
        sa.Column("last_error_code", sa.Text(), nullable=True),
        sa.Column("last_error_message", sa.Text(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "processing_status <> 'failed' OR "
            "(failure_stage IS NOT NULL AND last_error_code IS NOT NULL)",
            name=op.f("ck_media_failed_has_reason"),
        ),
        sa.CheckConstraint(
            "char_length(title) BETWEEN 1 AND 1000", name=op.f("ck_media_title_length")
        ),
        sa.ForeignKeyConstraint(
            ["created_by_user_id"],
            ["users.id"],
            name=op.f("fk_media_created_by_user_id_users"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_media")),
    )
    op.create_index(
        "ix_media_unfinished",
        "media",
        ["processing_status", "updated_at"],
        unique=False,
        postgresql_where=sa.text("processing_status IN ('pending', 'extracting')"),
    )
    op.create_index(
        "uq_media_creator_kind_file_sha256",
        "media",
        ["created_by_user_id", "kind", "file_sha256"],
        unique=True,
        postgresql_where=sa.text("kind IN ('pdf', 'epub') AND file_sha256 IS NOT NULL"),
    )
    op.create_index(
        "uq_media_kind_canonical_url",
        "media",
        ["kind", "canonical_url"],
        unique=True,
        postgresql_where=sa.text("canonical_url IS NOT NULL"),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sessions_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_expires_at"), "sessions", ["expires_at"], unique=False)
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "fragments",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("idx", sa.Integer(), nullable=False),
        sa.Column("html_sanitized", sa.Text(), nullable=False),
        sa.Column("canonical_text", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["media_id"], ["media.id"], name=op.f("fk_fragments_media_id_media"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fragments")),
        sa.UniqueConstraint("media_id", "idx", name=op.f("uq_fragments_media_id_idx")),
    )
    op.create_table(
        "library_media",
        sa.Column("library_id", sa.Uuid(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["library_id"],
            ["libraries.id"],
            name=op.f("fk_library_media_library_id_libraries"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_library_media_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("library_id", "media_id", name=op.f("pk_library_media")),
    )
    op.create_index(
        op.f("ix_library_media_library_id_created_at_media_id"),
        "library_media",
        ["library_id", "created_at", "media_id"],
        unique=False,
    )
    op.create_index(op.f("ix_library_media_media_id"), "library_media", ["media_id"], unique=False)
    op.create_table(
        "media_aliases",
        sa.Column("alias_id", sa.Uuid(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_media_aliases_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("alias_id", name=op.f("pk_media_aliases")),
    )
    op.create_index(op.f("ix_media_aliases_media_id"), "media_aliases", ["media_id"], unique=False)
    op.create_table(
        "media_file",
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("storage_path", sa.Text(), nullable=False),
        sa.Column("content_type", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_media_file_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("media_id", name=op.f("pk_media_file")),
        sa.UniqueConstraint("storage_path", name=op.f("uq_media_file_storage_path")),
    )
    op.create_table(
        "pending_uploads",
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("storage_path", sa.Text(), nullable=False),
        sa.Column("content_type", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_pending_uploads_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("media_id", name=op.f("pk_pending_uploads")),
    )
    op.create_index(
        op.f("ix_pending_uploads_expires_at"), "pending_uploads", ["expires_at"], unique=False
    )
    op.create_table(
        "memberships",
        sa.Column("library_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "role",
            sa.Enum(
                "admin", "member", name="role", native_enum=False, create_constraint=True, length=32
            ),
            nullable=False,
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["library_id"],
            ["libraries.id"],
            name=op.f("fk_memberships_library_id_libraries"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_memberships_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("library_id", "user_id", name=op.f("pk_memberships")),
    )
    op.create_index(op.f("ix_memberships_user_id"), "memberships", ["user_id"], unique=False)
    op.create_table(
        "usage_records",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "operation",
            sa.Enum(
                "TRANSCRIBE_SECONDS",
                "LLM_TOKENS",
                "INGEST_URLS",
                name="operation",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_usage_records_media_id_media"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_usage_records_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_usage_records")),
    )
    op.create_index(op.f("ix_usage_records_media_id"), "usage_records", ["media_id"], unique=False)
    op.create_index(
        op.f("ix_usage_records_user_id_operation_created_at"),
        "usage_records",
        ["user_id", "operation", "created_at"],
        unique=False,
    )
    op.create_table(
        "highlights",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("fragment_id", sa.Uuid(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column(
            "color",
            sa.Enum(
                "yellow",
                "green",
                "blue",
                "pink",
                "purple",
                name="color",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("exact", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("suffix", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "start_offset >= 0 AND end_offset > start_offset", name=op.f("chk_offsets_valid")
        ),
        sa.ForeignKeyConstraint(
            ["fragment_id"],
            ["fragments.id"],
            name=op.f("fk_highlights_fragment_id_fragments"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_highlights_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_highlights")),
    )
    op.create_index(op.f("ix_highlights_fragment_id"), "highlights", ["fragment_id"], unique=False)
    op.create_index(
        op.f("ix_highlights_user_id_created_at_id"),
        "highlights",
        ["user_id", "created_at", "id"],
        unique=False,
    )
    op.create_index(
        "uix_highlights_user_fragment_offsets",
        "highlights",
        ["user_id", "fragment_id", "start_offset", "end_offset"],
        unique=True,
    )
    op.create_table(
        "annotations",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("highlight_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "char_length(body) BETWEEN 1 AND 10000", name=op.f("ck_annotations_body_length")
        ),
        sa.ForeignKeyConstraint(
            ["highlight_id"],
            ["highlights.id"],
            name=op.f("fk_annotations_highlight_id_highlights"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_annotations_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotations")),
        sa.UniqueConstraint("highlight_id", name="uix_annotations_one_per_highlight"),
    )
    op.create_index(op.f("ix_annotations_user_id"), "annotations", ["user_id"], unique=False)
    op.create_table(
        "deleted_highlights",
        sa.Column("highlight_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("fragment_id", sa.Uuid(), nullable=False),
        sa.Column("highlight", postgresql.JSONB(), nullable=False),
        sa.Column("annotation", postgresql.JSONB(), nullable=True),
        sa.Column(
            "deleted_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["fragment_id"],
            ["fragments.id"],
            name=op.f("fk_deleted_highlights_fragment_id_fragments"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_deleted_highlights_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("highlight_id", name=op.f("pk_deleted_highlights")),
    )
    for column in ("user_id", "fragment_id", "deleted_at"):
        op.create_index(op.f(f"ix_deleted_highlights_{column}"), "deleted_highlights", [column])
    # Highlights hang on code-point offsets into this text: it is written once and never changed.
    op.execute(
        """
        CREATE FUNCTION refuse_fragment_update() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'fragments are immutable'
                USING ERRCODE = 'integrity_constraint_violation';
        END
        $$
        """
    )
    op.execute(
        """
        CREATE TRIGGER fragments_immutable BEFORE UPDATE ON fragments
        FOR EACH ROW EXECUTE FUNCTION refuse_fragment_update()
        """
    )
    # Whoever listens learns of a change the moment it is committed, whoever made it.
    op.execute(
        """
        CREATE FUNCTION announce_media() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('media_events', to_jsonb(NEW) ->> TG_ARGV[0]);
            RETURN NULL;
        END
        $$
        """
    )
    op.execute(
        """
        CREATE TRIGGER media_announce_change AFTER UPDATE ON media FOR EACH ROW
        WHEN (
            OLD.processing_status IS DISTINCT FROM NEW.processing_status
            OR OLD.title IS DISTINCT FROM NEW.title
        )
        EXECUTE FUNCTION announce_media('id')
        """
    )
    for table, column in (("library_media", "media_id"), ("media_aliases", "alias_id")):
        op.execute(
            f"CREATE TRIGGER {table}_announce AFTER INSERT ON {table} FOR EACH ROW "
            f"EXECUTE FUNCTION announce_media('{column}')"
        )


def downgrade() -> None:
    op.drop_table("deleted_highlights")
    op.drop_table("annotations")
    op.drop_table("highlights")
    op.drop_table("usage_records")
    op.drop_table("memberships")
    op.drop_table("media_file")
    op.drop_table("pending_uploads")
    op.drop_table("media_aliases")
    op.drop_table("library_media")
    op.drop_table("fragments")
    op.drop_table("sessions")
    op.drop_table("media")
    op.drop_table("libraries")
    op.drop_table("api_tokens")
    op.drop_table("accounts")
    op.drop_table("users")
    op.execute("DROP FUNCTION refuse_fragment_update()")
    op.execute("DROP FUNCTION announce_media()")

"""What each person's save is: the address they gave, undo of a removal, retries of their own.

Revision ID: 20261118_personal_saves
Revises: 20261117_lost_libraries
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261118_personal_saves"
down_revision = "20261117_lost_libraries"
branch_labels = None
depends_on = None

_KINDS = ("web_article", "epub", "pdf", "podcast_episode", "video")


def upgrade() -> None:
    _create_saved_addresses()
    _note_addresses_of_stored_items()
    _create_removed_media()
    for column in ("interrupted_attempts", "interruptions"):
        op.add_column(
            "media", sa.Column(column, sa.Integer(), server_default=sa.text("0"), nullable=False)
        )
    _announce_additions_to_members_only()


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(
        name, sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
    )


def _references(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column],
        [f"{other}.id"],
        name=op.f(f"fk_{table}_{column}_{other}"),
        ondelete="CASCADE",
    )


def _create_saved_addresses() -> None:
    op.create_table(
        "saved_addresses",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(*_KINDS, name="kind", native_enum=False, create_constraint=True, length=32),
            nullable=False,
        ),
        sa.Column("lookup_key", sa.Text(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("requested_url", sa.Text(), nullable=True),
        _moment("created_at"),
        _references("saved_addresses", "user_id", "users"),
        _references("saved_addresses", "media_id", "media"),
        sa.PrimaryKeyConstraint("user_id", "kind", "lookup_key", name=op.f("pk_saved_addresses")),
    )
    op.create_index(op.f("ix_saved_addresses_media_id"), "saved_addresses", ["media_id"])
    op.create_index(
        op.f("ix_saved_addresses_user_id_media_id"), "saved_addresses", ["user_id", "media_id"]
    )


def _note_addresses_of_stored_items() -> None:
    """Only the first person's address was recorded so far; the others get the item's own."""
    from nexus.egress.url_parse import UrlError, parse_web_url
    from nexus.services.url import lookup_key

    connection = op.get_bind()
    saves = connection.execute(
        sa.text(
            """
            SELECT libraries.owner_user_id AS user_id, media.kind, media.id AS media_id,
                   library_media.created_at, media.canonical_url,
                   CASE WHEN media.created_by_user_id = libraries.owner_user_id
                        THEN media.requested_url END AS requested_url
            FROM library_media
            JOIN libraries ON libraries.id = library_media.library_id AND libraries.is_default
            JOIN media ON media.id = library_media.media_id
            WHERE media.requested_url IS NOT NULL
            ORDER BY library_media.created_at
            """
        )
    ).mappings()
    write = sa.text(
        """
        INSERT INTO saved_addresses
            (user_id, kind, lookup_key, media_id, requested_url, created_at)
        VALUES (:user_id, :kind, :lookup_key, :media_id, :requested_url, :created_at)
        ON CONFLICT DO NOTHING
        """
    )
    for save in saves:
        for address in (save["requested_url"], save["canonical_url"]):
            try:
                key = lookup_key(parse_web_url(address or ""))
            except UrlError:
                continue
            connection.execute(write, {**save, "lookup_key": key})


def _create_removed_media() -> None:
    op.create_table(
        "removed_media",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("kept", postgresql.JSONB(), nullable=False),
        _moment("removed_at"),
        _references("removed_media", "user_id", "users"),
        _references("removed_media", "media_id", "media"),
        sa.PrimaryKeyConstraint("user_id", "media_id", name=op.f("pk_removed_media")),
    )
    op.create_index(op.f("ix_removed_media_media_id"), "removed_media", ["media_id"])
    op.create_index(op.f("ix_removed_media_removed_at"), "removed_media", ["removed_at"])


def _announce_additions_to_members_only() -> None:
    """That somebody else saved an item too is not for its other readers to learn."""
    op.execute("DROP TRIGGER library_media_announce ON library_media")
    op.execute(
        """
        CREATE FUNCTION announce_addition() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('media_events', 'added:' || NEW.library_id || ':' || NEW.media_id);
            RETURN NULL;
        END
        $$
        """
    )
    op.execute(
        "CREATE TRIGGER library_media_announce AFTER INSERT ON library_media"
        " FOR EACH ROW EXECUTE FUNCTION announce_addition()"
    )


def downgrade() -> None:
    op.execute("DROP TRIGGER library_media_announce ON library_media")
    op.execute("DROP FUNCTION announce_addition()")
    op.execute(
        "CREATE TRIGGER library_media_announce AFTER INSERT ON library_media FOR EACH ROW"
        " EXECUTE FUNCTION announce_media('media_id')"
    )
    op.drop_column("media", "interruptions")
    op.drop_column("media", "interrupted_attempts")
    op.drop_table("removed_media")
    op.drop_table("saved_addresses")

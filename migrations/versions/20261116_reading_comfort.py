"""Room for images before they come; how and where people read; removals announced.

Revision ID: 20261116_reading_comfort
Revises: 20261115_initial_schema
"""

import re
from urllib.parse import unquote

import sqlalchemy as sa
from alembic import op

revision = "20261116_reading_comfort"
down_revision = "20261115_initial_schema"
branch_labels = None
depends_on = None

_MAX_PER_ARTICLE = 500
_IMAGE = re.compile(r'<img src="/media/image\?url=([^"]+)"')


def upgrade() -> None:
    _create_fragment_images()
    _note_images_of_stored_texts()
    _create_reading_preferences()
    _create_reading_positions()
    _announce_removals()


def _create_fragment_images() -> None:
    op.create_table(
        "fragment_images",
        sa.Column("fragment_id", sa.Uuid(), nullable=False),
        sa.Column("idx", sa.Integer(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("measured", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(width IS NULL) = (height IS NULL)", name=op.f("ck_fragment_images_size_is_whole")
        ),
        sa.CheckConstraint(
            "width > 0 AND height > 0", name=op.f("ck_fragment_images_size_is_positive")
        ),
        sa.ForeignKeyConstraint(
            ["fragment_id"],
            ["fragments.id"],
            name=op.f("fk_fragment_images_fragment_id_fragments"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("fragment_id", "idx", name=op.f("pk_fragment_images")),
    )
    op.create_index(
        op.f("ix_fragment_images_address"), "fragment_images", ["address"], postgresql_using="hash"
    )
    op.create_index(
        "ix_fragment_images_waiting",
        "fragment_images",
        ["created_at", "idx"],
        postgresql_where=sa.text("width IS NULL AND tried_at IS NULL AND idx < 40"),
    )


def _note_images_of_stored_texts() -> None:
    """Texts stored before: their images are measured like those of new ones."""
    connection = op.get_bind()
    ids = connection.scalars(sa.text("SELECT id FROM fragments")).all()
    read = sa.text("SELECT html_sanitized FROM fragments WHERE id = :id")
    write = sa.text(
        "INSERT INTO fragment_images (fragment_id, idx, address) VALUES (:id, :idx, :address)"
    )
    for fragment_id in ids:
        found = _IMAGE.findall(connection.scalar(read, {"id": fragment_id}) or "")
        addresses = list(dict.fromkeys(unquote(quoted) for quoted in found))[:_MAX_PER_ARTICLE]
        for idx, address in enumerate(addresses):
            connection.execute(write, {"id": fragment_id, "idx": idx, "address": address})


def _choice(column: str, *values: str) -> sa.Column[str]:
    kind = sa.Enum(*values, name=column, native_enum=False, create_constraint=True, length=32)
    return sa.Column(column, kind, nullable=False)


def _create_reading_preferences() -> None:
    op.create_table(
        "reading_preferences",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        _choice("theme", "system", "light", "dark", "sepia"),
        _choice("font", "serif", "sans"),
        _choice("width", "narrow", "medium", "wide"),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "size BETWEEN 8 AND 72", name=op.f("ck_reading_preferences_size_is_readable")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_reading_preferences_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_reading_preferences")),
    )


def _create_reading_positions() -> None:
    op.create_table(
        "reading_positions",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("fragment_id", sa.Uuid(), nullable=False),
        sa.Column("text_offset", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("text_offset >= 0", name=op.f("ck_reading_positions_offset_is_in_text")),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_reading_positions_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["fragment_id"],
            ["fragments.id"],
            name=op.f("fk_reading_positions_fragment_id_fragments"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "fragment_id", name=op.f("pk_reading_positions")),
    )
    op.create_index(op.f("ix_reading_positions_fragment_id"), "reading_positions", ["fragment_id"])


def _announce_removals() -> None:
    """Once for each library and statement: a library may lose thousands of items at a time."""
    op.execute(
        """
        CREATE FUNCTION announce_removal() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('media_events', 'removed:' || library_id)
            FROM (SELECT DISTINCT library_id FROM removed) AS libraries;
            RETURN NULL;
        END
        $$
        """
    )
    op.execute(
        "CREATE TRIGGER library_media_announce_removal AFTER DELETE ON library_media"
        " REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION announce_removal()"
    )


def downgrade() -> None:
    op.execute("DROP TRIGGER library_media_announce_removal ON library_media")
    op.execute("DROP FUNCTION announce_removal()")
    op.drop_table("reading_positions")
    op.drop_table("reading_preferences")
    op.drop_table("fragment_images")

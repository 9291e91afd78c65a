"""Highlights from elsewhere that have no place in the text yet.

Revision ID: 20261130_unplaced_highlights
Revises: 20261129_search
"""

import sqlalchemy as sa
from alembic import op

revision = "20261130_unplaced_highlights"
down_revision = "20261129_search"
branch_labels = None
depends_on = None

_TABLE = "unplaced_highlights"
_COLORS = ("yellow", "green", "blue", "pink", "purple")
_STATES = ("waiting", "not_found", "placed", "gone")


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("import_id", sa.Uuid(), nullable=True),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("suffix", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("color", _one_of(_COLORS, name="color"), nullable=True),
        sa.Column("page", sa.Text(), nullable=True),
        sa.Column("position", sa.BigInteger(), nullable=True),
        sa.Column("fragment_idx", sa.Integer(), nullable=True),
        sa.Column("start_offset", sa.Integer(), nullable=True),
        sa.Column("end_offset", sa.Integer(), nullable=True),
        sa.Column("state", _one_of(_STATES, name="state"), nullable=False),
        sa.Column("highlight_id", sa.Uuid(), nullable=True),
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
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state = 'gone' OR state = 'placed' OR quote <> '' OR note IS NOT NULL",
            name=op.f("ck_unplaced_highlights_says_something"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_unplaced_highlights_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_unplaced_highlights_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unplaced_highlights")),
        sa.UniqueConstraint(
            "user_id", "media_id", "key", name=op.f("uq_unplaced_highlights_user_id_media_id_key")
        ),
    )
    for column in ("media_id", "import_id"):
        op.create_index(op.f(f"ix_{_TABLE}_{column}"), _TABLE, [column])
    op.create_index(
        "ix_unplaced_highlights_waiting",
        _TABLE,
        ["media_id"],
        postgresql_where=sa.text("state = 'waiting' AND deleted_at IS NULL"),
    )
    op.create_index(
        op.f("ix_unplaced_highlights_deleted_at"),
        _TABLE,
        ["deleted_at"],
        postgresql_where=sa.text("deleted_at IS NOT NULL AND state <> 'gone'"),
    )


def _one_of(values: tuple[str, ...], *, name: str) -> sa.Enum:
    named = op.f(f"ck_{_TABLE}_{name}")
    return sa.Enum(*values, name=named, native_enum=False, create_constraint=True, length=32)


def downgrade() -> None:
    op.drop_table(_TABLE)

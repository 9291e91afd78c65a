"""What documents say about themselves, and where their parts begin.

Revision ID: 20261124_documents
Revises: 20261123_deleted_highlight_ids
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261124_documents"
down_revision = "20261123_deleted_highlight_ids"
branch_labels = None
depends_on = None

_TEXTS = ("site_name", "published_at", "language", "excerpt", "lead_image_url")
_COUNTS = ("word_count", "page_count")


def upgrade() -> None:
    op.add_column(
        "media",
        sa.Column(
            "authors", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False
        ),
    )
    for name in _TEXTS:
        op.add_column("media", sa.Column(name, sa.Text(), nullable=True))
    for name in _COUNTS:
        op.add_column("media", sa.Column(name, sa.Integer(), nullable=True))
    op.add_column("fragments", sa.Column("label", sa.Text(), nullable=True))
    op.add_column(
        "fragments",
        sa.Column(
            "length",
            sa.Integer(),
            sa.Computed("char_length(canonical_text)", persisted=True),
            nullable=False,
        ),
    )
    op.create_table(
        "media_outlines",
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("contents", postgresql.JSONB(), nullable=False),
        sa.Column("pages", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_media_outlines_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("media_id", name=op.f("pk_media_outlines")),
    )


def downgrade() -> None:
    op.drop_table("media_outlines")
    for name in ("length", "label"):
        op.drop_column("fragments", name)
    for name in (*_COUNTS, *_TEXTS, "authors"):
        op.drop_column("media", name)

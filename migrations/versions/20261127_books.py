"""Pictures stored with books, and where books begin.

Revision ID: 20261127_books
Revises: 20261126_extractor_versions
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261127_books"
down_revision = "20261126_extractor_versions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "media_pictures",
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("storage_path", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_media_pictures_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("media_id", "name", name=op.f("pk_media_pictures")),
        sa.UniqueConstraint("storage_path", name=op.f("uq_media_pictures_storage_path")),
    )
    op.add_column("media_outlines", sa.Column("start", postgresql.JSONB(), nullable=True))
    op.add_column(
        "media_outlines",
        sa.Column("fixed_layout", sa.Boolean(), server_default=sa.false(), nullable=False),
    )


def downgrade() -> None:
    for name in ("fixed_layout", "start"):
        op.drop_column("media_outlines", name)
    op.drop_table("media_pictures")

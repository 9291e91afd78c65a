"""Whose turn in the queue an item takes, and when each person last had one.

Revision ID: 20261121_turns
Revises: 20261120_highlights_in_code
"""

import sqlalchemy as sa
from alembic import op

revision = "20261121_turns"
down_revision = "20261120_highlights_in_code"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("served_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("media", sa.Column("queued_for_user_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_media_queued_for_user_id_users"),
        "media",
        "users",
        ["queued_for_user_id"],
        ["id"],
        ondelete="SET NULL",
    )
    op.execute(
        "UPDATE media SET queued_for_user_id = created_by_user_id "
        "WHERE processing_status IN ('pending', 'extracting', 'failed')"
    )
    op.create_index(
        "ix_media_waiting",
        "media",
        ["queued_for_user_id", "updated_at"],
        postgresql_where=sa.text("processing_status = 'pending' AND kind = 'web_article'"),
    )


def downgrade() -> None:
    op.drop_index("ix_media_waiting", table_name="media")
    op.drop_constraint(op.f("fk_media_queued_for_user_id_users"), "media")
    op.drop_column("media", "queued_for_user_id")
    op.drop_column("users", "served_at")

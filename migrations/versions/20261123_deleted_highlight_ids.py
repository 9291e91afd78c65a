"""Deleted highlights leave their id.

Revision ID: 20261123_deleted_highlight_ids
Revises: 20261122_files_of_any_kind
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261123_deleted_highlight_ids"
down_revision = "20261122_files_of_any_kind"
branch_labels = None
depends_on = None

_TABLE = "deleted_highlights"
_INDEX = "ix_deleted_highlights_deleted_at"


def upgrade() -> None:
    op.alter_column(_TABLE, "highlight", existing_type=postgresql.JSONB(), nullable=True)
    op.drop_index(_INDEX, _TABLE)
    op.create_index(
        _INDEX, _TABLE, ["deleted_at"], postgresql_where=sa.text("highlight IS NOT NULL")
    )


def downgrade() -> None:
    op.execute("DELETE FROM deleted_highlights WHERE highlight IS NULL")
    op.drop_index(_INDEX, _TABLE)
    op.create_index(_INDEX, _TABLE, ["deleted_at"])
    op.alter_column(_TABLE, "highlight", existing_type=postgresql.JSONB(), nullable=False)

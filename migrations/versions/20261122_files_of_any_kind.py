"""One upload of a file per person, whatever kind the file is of.

Only items with a file have a hash, so naming the kinds beside it changed nothing but the number of
places to touch for a new one.

Revision ID: 20261122_files_of_any_kind
Revises: 20261121_turns
"""

import sqlalchemy as sa
from alembic import op

revision = "20261122_files_of_any_kind"
down_revision = "20261121_turns"
branch_labels = None
depends_on = None

_INDEX = "uq_media_creator_kind_file_sha256"
_COLUMNS = ["created_by_user_id", "kind", "file_sha256"]


def upgrade() -> None:
    _replace("file_sha256 IS NOT NULL")


def downgrade() -> None:
    _replace("kind IN ('pdf', 'epub') AND file_sha256 IS NOT NULL")


def _replace(condition: str) -> None:
    op.drop_index(_INDEX, table_name="media")
    op.create_index(_INDEX, "media", _COLUMNS, unique=True, postgresql_where=sa.text(condition))

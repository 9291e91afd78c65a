"""Whether a person's highlights may touch code.

Revision ID: 20261120_highlights_in_code
Revises: 20261119_session_devices
"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_highlights_in_code"
down_revision = "20261119_session_devices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "reading_preferences",
        sa.Column("highlight_code", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("reading_preferences", "highlight_code")

"""Interrupted items wait a moment before they are tried again.

Revision ID: 20261125_not_before
Revises: 20261124_documents
"""

import sqlalchemy as sa
from alembic import op

revision = "20261125_not_before"
down_revision = "20261124_documents"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("media", sa.Column("not_before", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("media", "not_before")

"""What a file calls itself, and what read its text.

Revision ID: 20261126_extractor_versions
Revises: 20261125_not_before
"""

import sqlalchemy as sa
from alembic import op

revision = "20261126_extractor_versions"
down_revision = "20261125_not_before"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("media_outlines", sa.Column("fingerprint", sa.Text(), nullable=True))
    op.add_column("media_outlines", sa.Column("extractor_version", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("media_outlines", "extractor_version")
    op.drop_column("media_outlines", "fingerprint")

"""Places in texts that are not there yet, from archives of Nexus.

Revision ID: 20261202_waiting_positions
Revises: 20261201_imports
"""

import sqlalchemy as sa
from alembic import op

revision = "20261202_waiting_positions"
down_revision = "20261201_imports"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "waiting_positions",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("fragment_idx", sa.Integer(), nullable=False),
        sa.Column("text_offset", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("text_offset >= 0", name=op.f("ck_waiting_positions_offset_is_in_text")),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_waiting_positions_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_waiting_positions_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "user_id", "media_id", "fragment_idx", name=op.f("pk_waiting_positions")
        ),
    )
    op.create_index(op.f("ix_waiting_positions_media_id"), "waiting_positions", ["media_id"])


def downgrade() -> None:
    op.drop_table("waiting_positions")

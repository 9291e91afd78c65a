"""Sessions that can be listed: an id, the device, when it was last seen.

Revision ID: 20261119_session_devices
Revises: 20261118_personal_saves
"""

import sqlalchemy as sa
from alembic import op

revision = "20261119_session_devices"
down_revision = "20261118_personal_saves"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "sessions",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
    )
    op.add_column("sessions", sa.Column("user_agent", sa.Text(), nullable=True))
    op.add_column(
        "sessions",
        sa.Column(
            "last_seen_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
    )
    op.create_unique_constraint(op.f("uq_sessions_id"), "sessions", ["id"])


def downgrade() -> None:
    op.drop_constraint(op.f("uq_sessions_id"), "sessions")
    for column in ("last_seen_at", "user_agent", "id"):
        op.drop_column("sessions", column)

"""Whoever loses a library hears of it.

Revision ID: 20261117_lost_libraries
Revises: 20261116_reading_comfort
"""

from alembic import op

revision = "20261117_lost_libraries"
down_revision = "20261116_reading_comfort"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # With the person in it: when it is heard, a deleted library has no members to ask for.
    op.execute(
        """
        CREATE FUNCTION announce_lost_library() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('media_events', 'lost:' || OLD.library_id || ':' || OLD.user_id);
            RETURN NULL;
        END
        $$
        """
    )
    op.execute(
        "CREATE TRIGGER memberships_announce_lost_library AFTER DELETE ON memberships"
        " FOR EACH ROW EXECUTE FUNCTION announce_lost_library()"
    )


def downgrade() -> None:
    op.execute("DROP TRIGGER memberships_announce_lost_library ON memberships")
    op.execute("DROP FUNCTION announce_lost_library()")

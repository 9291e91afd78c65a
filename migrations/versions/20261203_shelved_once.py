"""An import writes the rows of its person's shelf itself: once, with all it knows of an item.

Revision ID: 20261203_shelved_once
Revises: 20261202_waiting_positions
"""

import sqlalchemy as sa
from alembic import op

revision = "20261203_shelved_once"
down_revision = "20261202_waiting_positions"
branch_labels = None
depends_on = None

# Both settings hold the id of the one person whose rows are left alone, and only until the
# transaction ends. Everybody else who gets an item is served as always.
_SHELVED = " WHERE user_id::text IS DISTINCT FROM current_setting('nexus.shelve_later', true)"
_NAMED = "{user_id}::text = current_setting('nexus.name_later', true)"
_NAMED_EARLIER = "current_setting('nexus.name_later', true) = 'on'"

_SHELVE_ENTRIES = """
    CREATE OR REPLACE FUNCTION shelve_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'DELETE' THEN
            PERFORM put_on_shelves(
                array_agg(user_id), array_agg(media_id), array_agg(added.created_at)
            ) FROM added JOIN memberships USING (library_id){shelved};
        END IF;
        IF TG_OP <> 'INSERT' THEN
            PERFORM look_over_shelves(array_agg(user_id), array_agg(media_id))
            FROM removed JOIN memberships USING (library_id);
        END IF;
        RETURN NULL;
    END
    $$
"""
# Each is the body of a trigger function.
_NAMING = {
    "name_new_shelf_item": (
        "IF {new} THEN RETURN NEW; END IF;"
        " NEW.words := shelf_words(NEW.user_id, NEW.media_id); RETURN NEW;"
    ),
    "name_shelf_item_by_address": (
        "IF {new} THEN RETURN NULL; END IF;"
        " PERFORM name_shelf_items(ARRAY[NEW.user_id], ARRAY[NEW.media_id]); RETURN NULL;"
    ),
    "name_shelf_items_tagged": (
        "PERFORM name_shelf_items(array_agg(user_id), array_agg(media_id)) FROM changed"
        " WHERE ({changed}) IS NOT TRUE; RETURN NULL;"
    ),
}


def upgrade() -> None:
    # For the sweeper, which looks for what was forgotten among thousands of imported pages.
    op.create_index(
        "ix_media_pending",
        "media",
        ["kind", "updated_at"],
        postgresql_where=sa.text("processing_status = 'pending'"),
    )
    op.execute(_SHELVE_ENTRIES.format(shelved=_SHELVED))
    _create_naming(
        new=_NAMED.format(user_id="NEW.user_id"), changed=_NAMED.format(user_id="user_id")
    )


def downgrade() -> None:
    op.drop_index("ix_media_pending", "media")
    op.execute(_SHELVE_ENTRIES.format(shelved=""))
    _create_naming(new=_NAMED_EARLIER, changed=_NAMED_EARLIER)


def _create_naming(*, new: str, changed: str) -> None:
    for name, body in _NAMING.items():
        op.execute(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"BEGIN {body.format(new=new, changed=changed)} END $$"
        )

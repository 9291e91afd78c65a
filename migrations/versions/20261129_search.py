"""Words of texts, highlights and notes, for full text search.

Revision ID: 20261129_search
Revises: 20261128_shelves
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261129_search"
down_revision = "20261128_shelves"
branch_labels = None
depends_on = None

_OF_ONE_PERSON = ("highlights", "annotations", "shelf_items")
_OTHERS = ("media", "saved_addresses", "tags")
# A change of `library_ids` writes all words of a passage into the index again, which takes seconds
# for a book. So it is made only where somebody would not find the item otherwise: not for a library
# that only its owner sees, who has the item in their default library as well.
#
# Ids are added, not computed again: of two transactions that change the libraries of one item,
# neither sees what the other does. Rows are locked in one order.
_LIBRARIES = """
    CREATE FUNCTION add_search_libraries(items uuid[], libraries uuid[])
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM search_passages WHERE media_id = ANY(items) ORDER BY id FOR NO KEY UPDATE;
        UPDATE search_passages SET library_ids = library_ids || added.ids
        FROM (
            SELECT media_id, array_agg(library_id) AS ids
            FROM unnest(items, libraries) AS entry (media_id, library_id) GROUP BY media_id
        ) added
        WHERE added.media_id = search_passages.media_id AND NOT library_ids @> added.ids;
    END
    $$
"""
_LIBRARY_TRIGGERS = {
    "search_entries_added": (
        """
        PERFORM add_search_libraries(array_agg(media_id), array_agg(library_id))
        FROM added JOIN libraries ON libraries.id = library_id
        WHERE is_default
            OR EXISTS (
                SELECT FROM memberships
                WHERE memberships.library_id = libraries.id AND user_id <> owner_user_id
            )
            OR NOT EXISTS (
                SELECT FROM library_media entry JOIN libraries own ON own.id = entry.library_id
                WHERE entry.media_id = added.media_id
                    AND own.is_default AND own.owner_user_id = libraries.owner_user_id
            );
        RETURN NULL;
        """,
        "AFTER INSERT ON library_media REFERENCING NEW TABLE AS added FOR EACH STATEMENT",
    ),
    "search_members_added": (
        """
        PERFORM add_search_libraries(array_agg(media_id), array_agg(library_id))
        FROM added JOIN library_media USING (library_id)
        JOIN libraries ON libraries.id = library_id WHERE user_id <> owner_user_id;
        RETURN NULL;
        """,
        "AFTER INSERT ON memberships REFERENCING NEW TABLE AS added FOR EACH STATEMENT",
    ),
    # Search looks at what a person can see, so an id too many only costs time. It goes when the
    # item is indexed again, and much of what is removed is deleted soon, or brought back.
    "search_entries_removed": (
        """
        INSERT INTO search_backlog (media_id)
        SELECT DISTINCT media.id FROM removed
        JOIN media ON media.id = removed.media_id
        JOIN libraries ON libraries.id = removed.library_id
        WHERE EXISTS (SELECT FROM search_passages WHERE media_id = media.id)
        ON CONFLICT (media_id) DO NOTHING;
        RETURN NULL;
        """,
        "AFTER DELETE ON library_media REFERENCING OLD TABLE AS removed FOR EACH STATEMENT",
    ),
}

# What an item is called is the same for all, unless that is an address; its tags are not.
_SHELF_WORDS = """
    CREATE FUNCTION shelf_words(person uuid, item uuid) RETURNS tsvector LANGUAGE sql STABLE AS $$
        SELECT coalesce(
            (SELECT words FROM media WHERE id = item),
            (
                SELECT words FROM saved_addresses WHERE user_id = person AND media_id = item
                ORDER BY created_at, lookup_key LIMIT 1
            ),
            ''
        ) || (
            SELECT joined_words(tags.words ORDER BY tags.key)
            FROM item_tags JOIN tags ON tags.id = item_tags.tag_id
            WHERE item_tags.user_id = person AND item_tags.media_id = item
        )
    $$
"""
_NAME_SHELF_ITEMS = """
    CREATE FUNCTION name_shelf_items(users uuid[], items uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM shelf_items
        WHERE (user_id, media_id) IN (SELECT * FROM unnest(users, items))
        ORDER BY user_id, media_id
        FOR NO KEY UPDATE;
        UPDATE shelf_items SET words = shelf_words(user_id, media_id)
        WHERE (user_id, media_id) IN (SELECT * FROM unnest(users, items));
    END
    $$
"""
# Each is a trigger function: its body, the table it is on, and when it runs.
_NAMING = {
    "name_new_shelf_item": (
        "NEW.words := shelf_words(NEW.user_id, NEW.media_id); RETURN NEW;",
        "BEFORE INSERT ON shelf_items FOR EACH ROW",
    ),
    "name_shelf_items_of_media": (
        "PERFORM name_shelf_items(array_agg(user_id), array_agg(media_id))"
        " FROM shelf_items WHERE media_id = NEW.id; RETURN NULL;",
        "AFTER UPDATE OF words ON media FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words)",
    ),
    "name_shelf_item_by_address": (
        "PERFORM name_shelf_items(ARRAY[NEW.user_id], ARRAY[NEW.media_id]); RETURN NULL;",
        "AFTER INSERT OR UPDATE OF media_id, words ON saved_addresses FOR EACH ROW",
    ),
    "name_shelf_items_tagged": (
        "PERFORM name_shelf_items(array_agg(user_id), array_agg(media_id)) FROM changed;"
        " RETURN NULL;",
        "AFTER INSERT ON item_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT",
    ),
    "name_shelf_items_untagged": (
        "PERFORM name_shelf_items(array_agg(user_id), array_agg(media_id)) FROM changed;"
        " RETURN NULL;",
        "AFTER DELETE ON item_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT",
    ),
    "name_shelf_items_of_tag": (
        "PERFORM name_shelf_items(array_agg(user_id), array_agg(media_id))"
        " FROM item_tags WHERE tag_id = NEW.id; RETURN NULL;",
        "AFTER UPDATE OF words ON tags FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words)",
    ),
}


def upgrade() -> None:
    _create_passages()
    _create_backlog()
    for table in (*_OF_ONE_PERSON, *_OTHERS):
        op.add_column(table, sa.Column("words", postgresql.TSVECTOR(), nullable=True))
    for table in _OF_ONE_PERSON:
        op.create_index(
            f"ix_{table}_words",
            table,
            [sa.text("(ARRAY[user_id])"), "words"],
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        )
    _create_triggers()
    # In the order in which they were stored, as the passages of all later ones are.
    op.execute("INSERT INTO search_backlog (media_id) SELECT id FROM media ORDER BY created_at, id")


def _create_triggers() -> None:
    op.execute(_LIBRARIES)
    op.execute(
        "CREATE AGGREGATE joined_words (tsvector)"
        " (SFUNC = tsvector_concat, STYPE = tsvector, INITCOND = '')"
    )
    op.execute(_SHELF_WORDS)
    op.execute(_NAME_SHELF_ITEMS)
    for name, (body, event) in (_LIBRARY_TRIGGERS | _NAMING).items():
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
        )
        op.execute(f"CREATE TRIGGER {name} {event} EXECUTE FUNCTION {name}()")


def _create_passages() -> None:
    op.create_table(
        "search_passages",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("fragment_id", sa.Uuid(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column("dictionary", sa.Text(), nullable=False),
        sa.Column("library_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("words", postgresql.TSVECTOR(), nullable=False),
        sa.CheckConstraint(
            "start_offset >= 0 AND end_offset > start_offset",
            name=op.f("ck_search_passages_offsets_are_in_text"),
        ),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_search_passages_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["fragment_id"],
            ["fragments.id"],
            name=op.f("fk_search_passages_fragment_id_fragments"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_passages")),
    )
    # A search unpacks the words of hundreds of passages, and compressing saves a sixth of them.
    op.execute("ALTER TABLE search_passages ALTER COLUMN words SET STORAGE EXTERNAL")
    for column in ("media_id", "fragment_id"):
        op.create_index(op.f(f"ix_search_passages_{column}"), "search_passages", [column])
    op.create_index(
        "ix_search_passages_words",
        "search_passages",
        ["library_ids", "words"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )


def _create_backlog() -> None:
    op.create_table(
        "search_backlog",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["media_id"],
            ["media.id"],
            name=op.f("fk_search_backlog_media_id_media"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_backlog")),
        sa.UniqueConstraint("media_id", name=op.f("uq_search_backlog_media_id")),
    )


def downgrade() -> None:
    for name in (*_LIBRARY_TRIGGERS, *_NAMING):
        op.execute(f"DROP FUNCTION {name}() CASCADE")
    op.execute("DROP FUNCTION add_search_libraries(uuid[], uuid[])")
    op.execute("DROP FUNCTION name_shelf_items(uuid[], uuid[])")
    op.execute("DROP FUNCTION shelf_words(uuid, uuid)")
    op.execute("DROP AGGREGATE joined_words (tsvector)")
    for table in (*_OF_ONE_PERSON, *_OTHERS):
        op.drop_column(table, "words")
    op.drop_table("search_backlog")
    op.drop_table("search_passages")

"""Each person's own shelf: reading state, archive, favourites, tags, and what lists sort by.

Revision ID: 20261128_shelves
Revises: 20261127_books
"""

import sqlalchemy as sa
from alembic import op

revision = "20261128_shelves"
down_revision = "20261127_books"
branch_labels = None
depends_on = None

_KINDS = ("web_article", "epub", "pdf", "video", "podcast_episode")
_STATES = ("unread", "reading", "finished")
_VISIBLE = sa.text("visible")


def upgrade() -> None:
    _create_shelf_items()
    _create_tags()
    _create_functions()
    _create_triggers()
    _fill()
    _index_shelf_items()
    op.create_index(
        "ix_media_not_ready",
        "media",
        ["processing_status"],
        postgresql_where=sa.text("processing_status <> 'ready_for_reading'"),
    )


def _choice(name: str, values: tuple[str, ...]) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)


def _references(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"), ondelete="CASCADE"
    )


def _create_shelf_items() -> None:
    op.create_table(
        "shelf_items",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("visible", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("favourite", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column(
            "state",
            _choice("state", _STATES),
            server_default=sa.text("'unread'"),
            nullable=False,
        ),
        sa.Column("progress", sa.REAL(), server_default=sa.text("0"), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("kind", _choice("kind", _KINDS), nullable=False),
        sa.Column("title_key", sa.Text(collation="C"), nullable=True),
        sa.Column("length", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "progress BETWEEN 0 AND 1", name=op.f("ck_shelf_items_progress_is_a_part")
        ),
        _references("shelf_items", "user_id", "users"),
        _references("shelf_items", "media_id", "media"),
        sa.PrimaryKeyConstraint("user_id", "media_id", name=op.f("pk_shelf_items")),
    )


def _index_shelf_items() -> None:
    op.create_index(op.f("ix_shelf_items_media_id"), "shelf_items", ["media_id"])
    orders: dict[str, list[str | sa.TextClause]] = {
        "saved": ["saved_at"],
        "opened": [
            sa.text("COALESCE(opened_at, '-infinity'::timestamp with time zone)"),
            "saved_at",
        ],
        "title": [sa.text("COALESCE(title_key, '\U0010ffff'::text)")],
        "length": [sa.text("COALESCE(length, 2147483647)")],
    }
    for name, columns in orders.items():
        op.create_index(
            f"ix_shelf_items_{name}",
            "shelf_items",
            ["user_id", "archived", *columns, "media_id"],
            postgresql_where=_VISIBLE,
        )
    for name in ("kind", "state", "favourite"):
        op.create_index(
            f"ix_shelf_items_{name}",
            "shelf_items",
            ["user_id", name, "saved_at"],
            postgresql_where=_VISIBLE,
        )


def _create_tags() -> None:
    op.create_table(
        "tags",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.CheckConstraint("char_length(name) BETWEEN 1 AND 100", name=op.f("ck_tags_name_length")),
        _references("tags", "user_id", "users"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tags")),
        sa.UniqueConstraint("user_id", "key", name=op.f("uq_tags_user_id_key")),
    )
    op.create_table(
        "item_tags",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("tag_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "media_id"],
            ["shelf_items.user_id", "shelf_items.media_id"],
            name=op.f("fk_item_tags_user_id_media_id_shelf_items"),
            ondelete="CASCADE",
        ),
        _references("item_tags", "tag_id", "tags"),
        sa.PrimaryKeyConstraint("user_id", "media_id", "tag_id", name=op.f("pk_item_tags")),
    )
    op.create_index(op.f("ix_item_tags_tag_id_media_id"), "item_tags", ["tag_id", "media_id"])


def _create_functions() -> None:
    """Every lock of several rows is taken in the order of the primary key."""
    op.execute(_TITLE_KEY)
    op.execute(_PUT_ON_SHELVES)
    op.execute(_LOOK_OVER_SHELVES)
    op.execute(_SHELVE_ENTRIES)
    op.execute(_SHELVE_MEMBERS)
    op.execute(_CLEAR_LIBRARY)
    op.execute(_SHELVE_MEDIA)


# Folded, and without quotation marks and the like in front. What is named only by the address that
# somebody gave has no key, or its place in a list would tell others about that address.
_TITLE_KEY = r"""
    CREATE FUNCTION title_key(item media) RETURNS text LANGUAGE plpgsql STABLE AS $$
    DECLARE
        folded text := casefold(normalize(item.title, NFKD) COLLATE "pg_unicode_fast");
    BEGIN
        IF item.kind NOT IN ('pdf', 'epub') AND (
            item.processing_status IN ('pending', 'extracting', 'failed')
            OR item.title ~* '^https?://'
            OR item.title = left(item.requested_url, 255)
        ) THEN
            RETURN NULL;
        END IF;
        folded := left(regexp_replace(folded, '[\u0300-\u036f]', '', 'g'), 100);
        RETURN coalesce(
            nullif(regexp_replace(folded COLLATE "pg_unicode_fast", '^[^[:alnum:]]+', ''), ''),
            folded
        );
    END
    $$
"""

# A row that is already visible may only have become older: another request that adds the same item
# to another library is not seen here, but has done the same before or does it afterwards.
_PUT_ON_SHELVES = """
    CREATE FUNCTION put_on_shelves(users uuid[], items uuid[], moments timestamptz[])
    RETURNS void LANGUAGE sql AS $$
        INSERT INTO shelf_items (user_id, media_id, saved_at, kind, title_key, length)
        SELECT new.user_id, media.id, new.saved_at, media.kind, title_key(media), media.word_count
        FROM (
            SELECT user_id, media_id, min(moment) AS saved_at
            FROM unnest(users, items, moments) AS entry (user_id, media_id, moment)
            GROUP BY user_id, media_id
        ) AS new
        JOIN media ON media.id = new.media_id
        ORDER BY new.user_id, new.media_id
        ON CONFLICT (user_id, media_id) DO UPDATE SET
            visible = true,
            saved_at = CASE WHEN shelf_items.visible
                THEN least(shelf_items.saved_at, excluded.saved_at) ELSE excluded.saved_at END,
            kind = excluded.kind,
            title_key = excluded.title_key,
            length = excluded.length
        WHERE NOT shelf_items.visible OR excluded.saved_at < shelf_items.saved_at
    $$
"""

# Locked first and looked at afterwards, so that entries which came in the meantime are seen.
_LOOK_OVER_SHELVES = """
    CREATE FUNCTION look_over_shelves(users uuid[], items uuid[], but_not_in uuid DEFAULT NULL)
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM shelf_items
        WHERE (user_id, media_id) IN (SELECT * FROM unnest(users, items))
        ORDER BY user_id, media_id
        FOR UPDATE;
        UPDATE shelf_items SET
            visible = entry.saved_at IS NOT NULL,
            saved_at = coalesce(entry.saved_at, shelf_items.saved_at)
        FROM (
            SELECT user_id, media_id, (
                SELECT min(library_media.created_at)
                FROM library_media
                JOIN memberships USING (library_id)
                JOIN libraries ON libraries.id = library_id
                WHERE library_media.media_id = pair.media_id AND memberships.user_id = pair.user_id
                    AND libraries.id IS DISTINCT FROM but_not_in
            ) AS saved_at
            FROM (SELECT DISTINCT * FROM unnest(users, items)) AS pair (user_id, media_id)
        ) AS entry
        WHERE shelf_items.user_id = entry.user_id AND shelf_items.media_id = entry.media_id;
    END
    $$
"""

_SHELVE_ENTRIES = """
    CREATE FUNCTION shelve_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'DELETE' THEN
            PERFORM put_on_shelves(
                array_agg(user_id), array_agg(media_id), array_agg(added.created_at)
            ) FROM added JOIN memberships USING (library_id);
        END IF;
        IF TG_OP <> 'INSERT' THEN
            PERFORM look_over_shelves(array_agg(user_id), array_agg(media_id))
            FROM removed JOIN memberships USING (library_id);
        END IF;
        RETURN NULL;
    END
    $$
"""

# Adding an item to a library holds a weak lock on the library, through its foreign key. This lock
# waits for it, so that of a new item and a new member one sees the other.
_SHELVE_MEMBERS = """
    CREATE FUNCTION shelve_members() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'DELETE' THEN
            PERFORM FROM libraries WHERE id IN (SELECT library_id FROM added)
            ORDER BY id FOR UPDATE;
            PERFORM put_on_shelves(
                array_agg(user_id), array_agg(media_id), array_agg(library_media.created_at)
            ) FROM added JOIN library_media USING (library_id);
        END IF;
        IF TG_OP <> 'INSERT' THEN
            PERFORM FROM libraries WHERE id IN (SELECT library_id FROM removed)
            ORDER BY id FOR UPDATE;
            PERFORM look_over_shelves(array_agg(user_id), array_agg(media_id))
            FROM removed JOIN library_media USING (library_id);
        END IF;
        RETURN NULL;
    END
    $$
"""

# A library's entries and members vanish with it in one statement, so that neither of them is there
# when the triggers of the other run. Before it goes, both are.
_CLEAR_LIBRARY = """
    CREATE FUNCTION clear_library() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM look_over_shelves(array_agg(user_id), array_agg(media_id), OLD.id)
        FROM library_media JOIN memberships USING (library_id) WHERE library_id = OLD.id;
        RETURN OLD;
    END
    $$
"""

_SHELVE_MEDIA = """
    CREATE FUNCTION shelve_media() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM shelf_items WHERE media_id = NEW.id ORDER BY user_id FOR UPDATE;
        UPDATE shelf_items
        SET kind = NEW.kind, title_key = title_key(NEW), length = NEW.word_count
        WHERE media_id = NEW.id
            AND (kind, title_key, length) IS DISTINCT FROM
                (NEW.kind, title_key(NEW), NEW.word_count);
        RETURN NULL;
    END
    $$
"""

_TABLES = {"added": "NEW TABLE AS added", "removed": "OLD TABLE AS removed"}
_EVENTS = {"INSERT": ("added",), "UPDATE": ("added", "removed"), "DELETE": ("removed",)}


def _create_triggers() -> None:
    for table, function in (("library_media", "shelve_entries"), ("memberships", "shelve_members")):
        for event, names in _EVENTS.items():
            op.execute(
                f"CREATE TRIGGER {table}_shelve_{event.lower()} AFTER {event} ON {table}"
                f" REFERENCING {' '.join(_TABLES[name] for name in names)}"
                f" FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
            )
    op.execute(
        "CREATE TRIGGER libraries_clear BEFORE DELETE ON libraries"
        " FOR EACH ROW EXECUTE FUNCTION clear_library()"
    )
    op.execute(
        """
        CREATE TRIGGER media_shelve AFTER UPDATE ON media FOR EACH ROW
        WHEN (
            (OLD.kind, OLD.title, OLD.processing_status, OLD.word_count, OLD.requested_url)
            IS DISTINCT FROM
            (NEW.kind, NEW.title, NEW.processing_status, NEW.word_count, NEW.requested_url)
        )
        EXECUTE FUNCTION shelve_media()
        """
    )


def _fill() -> None:
    """What people can read already; where they are in it; what they have highlighted."""
    op.execute(
        """
        INSERT INTO shelf_items (user_id, media_id, saved_at, kind, title_key, length)
        SELECT entry.user_id, media.id, entry.saved_at, media.kind, title_key(media),
               media.word_count
        FROM (
            SELECT user_id, media_id, min(library_media.created_at) AS saved_at
            FROM library_media JOIN memberships USING (library_id)
            GROUP BY user_id, media_id
        ) AS entry
        JOIN media ON media.id = entry.media_id
        """
    )
    op.execute(
        """
        UPDATE shelf_items SET
            state = CASE WHEN place.before > 0 THEN 'reading' ELSE 'unread' END,
            progress = CASE WHEN place.whole > 0
                THEN least(place.before::real / place.whole, 1) ELSE 0 END,
            opened_at = place.changed_at
        FROM (
            SELECT DISTINCT ON (position.user_id, fragment.media_id)
                position.user_id, fragment.media_id, position.changed_at,
                fragment.before + position.text_offset AS before, fragment.whole
            FROM reading_positions AS position
            JOIN (
                SELECT id, media_id,
                    sum(length) OVER (PARTITION BY media_id ORDER BY idx) - length AS before,
                    sum(length) OVER (PARTITION BY media_id) AS whole
                FROM fragments
            ) AS fragment ON fragment.id = position.fragment_id
            ORDER BY position.user_id, fragment.media_id, position.changed_at DESC
        ) AS place
        WHERE shelf_items.user_id = place.user_id AND shelf_items.media_id = place.media_id
        """
    )
    op.execute(
        """
        UPDATE shelf_items SET opened_at = greatest(opened_at, marked.at)
        FROM (
            SELECT highlights.user_id, media_id, max(highlights.created_at) AS at
            FROM highlights JOIN fragments ON fragments.id = highlights.fragment_id
            GROUP BY highlights.user_id, media_id
        ) AS marked
        WHERE shelf_items.user_id = marked.user_id AND shelf_items.media_id = marked.media_id
        """
    )


def downgrade() -> None:
    op.drop_index("ix_media_not_ready", "media")
    op.execute("DROP TRIGGER media_shelve ON media")
    op.execute("DROP TRIGGER libraries_clear ON libraries")
    for table in ("library_media", "memberships"):
        for event in _EVENTS:
            op.execute(f"DROP TRIGGER {table}_shelve_{event.lower()} ON {table}")
    for function in (
        "shelve_media()",
        "clear_library()",
        "shelve_members()",
        "shelve_entries()",
        "look_over_shelves(uuid[], uuid[], uuid)",
        "put_on_shelves(uuid[], uuid[], timestamptz[])",
        "title_key(media)",
    ):
        op.execute(f"DROP FUNCTION {function}")
    for table in ("item_tags", "tags", "shelf_items"):
        op.drop_table(table)

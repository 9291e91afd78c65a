"""Imports line by line, and imported pages that are fetched behind all others.

Revision ID: 20261201_imports
Revises: 20261130_unplaced_highlights
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261201_imports"
down_revision = "20261130_unplaced_highlights"
branch_labels = None
depends_on = None

_STATES = ("preview", "running", "stopped", "done", "undone")
_OUTCOMES = ("waiting", "added", "existing", "failed", "skipped", "undone")
_PENDING = "processing_status = 'pending' AND kind = 'web_article'"


def upgrade() -> None:
    _create_imports()
    _create_records()
    _create_background()
    for column in ("given_title", "given_excerpt"):
        op.add_column("shelf_items", sa.Column(column, sa.Text(), nullable=True))
    for function in _ANNOUNCEMENTS:
        op.execute(function.format(quiet=_QUIET))
    _create_naming(later=_LATER)


def _choice(name: str, values: tuple[str, ...]) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    default = None if nullable else sa.text("now()")
    return sa.Column(name, sa.DateTime(timezone=True), server_default=default, nullable=nullable)


def _references(
    table: str, column: str, other: str, *, ondelete: str = "CASCADE"
) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{other}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name, ondelete=ondelete)


def _list(name: str, kind: sa.types.TypeEngine[object]) -> sa.Column[object]:
    default = sa.text("'{}'")
    return sa.Column(name, postgresql.ARRAY(kind), server_default=default, nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), server_default=sa.text("0"), nullable=False)


def _create_imports() -> None:
    op.create_table(
        "imports",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("format_label", sa.Text(), nullable=False),
        sa.Column(
            "state",
            _choice("state", _STATES),
            server_default=sa.text("'preview'"),
            nullable=False,
        ),
        sa.Column("unfinished", sa.Boolean(), server_default=sa.false(), nullable=False),
        _number("position"),
        sa.Column("library_id", sa.Uuid(), nullable=True),
        _list("tags", sa.Text()),
        sa.Column("storage_path", sa.Text(), nullable=True),
        _number("items"),
        _number("highlights"),
        _number("skipped"),
        _number("items_done"),
        _number("items_failed"),
        _number("highlights_done"),
        sa.Column("samples", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column(
            "skipped_reasons", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False
        ),
        _list("made_library_ids", sa.Uuid()),
        _list("made_tag_ids", sa.Uuid()),
        _moment("finished_at", nullable=True),
        _moment("created_at"),
        _moment("updated_at"),
        _references("imports", "user_id", "users"),
        _references("imports", "library_id", "libraries", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
    )
    op.create_index(op.f("ix_imports_user_id_created_at"), "imports", ["user_id", "created_at"])
    op.create_index(op.f("ix_imports_library_id"), "imports", ["library_id"])
    op.create_index(
        "ix_imports_unfinished", "imports", ["updated_at"], postgresql_where=sa.text("unfinished")
    )


def _create_records() -> None:
    op.create_table(
        "import_records",
        sa.Column("import_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("record", postgresql.JSONB(), nullable=False),
        sa.Column(
            "outcome",
            _choice("outcome", _OUTCOMES),
            server_default=sa.text("'waiting'"),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("media_id", sa.Uuid(), nullable=True),
        sa.Column("added", postgresql.JSONB(), nullable=True),
        _references("import_records", "import_id", "imports"),
        _references("import_records", "media_id", "media", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("import_id", "number", name=op.f("pk_import_records")),
    )
    op.create_index(op.f("ix_import_records_media_id"), "import_records", ["media_id"])


def _create_background() -> None:
    op.create_table(
        "background_sites",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        _moment("due_at"),
        _references("background_sites", "user_id", "users"),
        sa.PrimaryKeyConstraint("user_id", "site", name=op.f("pk_background_sites")),
    )
    for columns in (["site"], ["due_at"], ["user_id", "due_at"]):
        name = op.f(f"ix_background_sites_{'_'.join(columns)}")
        op.create_index(name, "background_sites", columns)
    op.add_column("users", _moment("background_served_at", nullable=True))
    op.add_column("media", sa.Column("background_site", sa.Text(), nullable=True))
    op.drop_index("ix_media_waiting", "media")
    op.create_index(
        "ix_media_waiting",
        "media",
        ["queued_for_user_id", "updated_at"],
        postgresql_where=sa.text(f"{_PENDING} AND background_site IS NULL"),
    )
    op.create_index(
        "ix_media_background",
        "media",
        ["queued_for_user_id", "background_site", "updated_at"],
        postgresql_where=sa.text(f"{_PENDING} AND background_site IS NOT NULL"),
    )
    op.execute(_WAIT_IN_BACKGROUND)
    op.execute(
        """
        CREATE TRIGGER media_wait_in_background
        AFTER INSERT OR UPDATE OF processing_status, kind, queued_for_user_id, background_site
        ON media FOR EACH ROW
        WHEN (
            NEW.processing_status = 'pending' AND NEW.kind = 'web_article'
            AND NEW.background_site IS NOT NULL AND NEW.queued_for_user_id IS NOT NULL
        )
        EXECUTE FUNCTION wait_in_background()
        """
    )


# The lock keeps the row from being deleted because the page is not seen to wait yet.
_WAIT_IN_BACKGROUND = """
    CREATE FUNCTION wait_in_background() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        LOOP
            PERFORM FROM background_sites
            WHERE user_id = NEW.queued_for_user_id AND site = NEW.background_site
            FOR KEY SHARE;
            EXIT WHEN FOUND;
            INSERT INTO background_sites (user_id, site)
            VALUES (NEW.queued_for_user_id, NEW.background_site)
            ON CONFLICT DO NOTHING;
            EXIT WHEN FOUND;
        END LOOP;
        RETURN NULL;
    END
    $$
"""

# Thousands of items that come at once are announced as one import, not one by one.
_QUIET = "IF current_setting('nexus.quiet', true) = 'on' THEN RETURN NULL; END IF;"
_ANNOUNCEMENTS = (
    """
    CREATE OR REPLACE FUNCTION announce_media() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {quiet}
        PERFORM pg_notify('media_events', to_jsonb(NEW) ->> TG_ARGV[0]);
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE OR REPLACE FUNCTION announce_addition() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {quiet}
        PERFORM pg_notify('media_events', 'added:' || NEW.library_id || ':' || NEW.media_id);
        RETURN NULL;
    END
    $$
    """,
)


# An import puts items on the shelf, then tags them, and names them once after that.
_LATER = "current_setting('nexus.name_later', true) = 'on'"
_NAMING = {
    "name_new_shelf_item": (
        "NEW",
        "NEW.words := shelf_words(NEW.user_id, NEW.media_id); RETURN NEW;",
    ),
    "name_shelf_item_by_address": (
        "NULL",
        "PERFORM name_shelf_items(ARRAY[NEW.user_id], ARRAY[NEW.media_id]); RETURN NULL;",
    ),
    "name_shelf_items_tagged": (
        "NULL",
        "PERFORM name_shelf_items(array_agg(user_id), array_agg(media_id)) FROM changed;"
        " RETURN NULL;",
    ),
}


def _create_naming(*, later: str) -> None:
    for name, (row, body) in _NAMING.items():
        op.execute(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"BEGIN IF {later} THEN RETURN {row}; END IF; {body} END $$"
        )


def downgrade() -> None:
    for function in _ANNOUNCEMENTS:
        op.execute(function.format(quiet=""))
    _create_naming(later="false")
    for column in ("given_title", "given_excerpt"):
        op.drop_column("shelf_items", column)
    op.execute("DROP FUNCTION wait_in_background() CASCADE")
    op.drop_index("ix_media_background", "media")
    op.drop_index("ix_media_waiting", "media")
    op.create_index(
        "ix_media_waiting",
        "media",
        ["queued_for_user_id", "updated_at"],
        postgresql_where=sa.text(_PENDING),
    )
    op.drop_column("media", "background_site")
    op.drop_column("users", "background_served_at")
    for table in ("background_sites", "import_records", "imports"):
        op.drop_table(table)

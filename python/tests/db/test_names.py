"""Every constraint and index has a name that a later migration can rely on."""

import re
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

# Names that the specification gives.
SPECIFIED = {
    "chk_offsets_valid",
    "uix_highlights_user_fragment_offsets",
    "uix_annotations_one_per_highlight",
}
PREFIX_OF_KIND = {"p": "pk", "f": "fk", "u": "uq", "c": "ck"}
CONSTRAINTS = """
    SELECT conrelid::regclass::text AS table_name, conname AS name, contype::text AS kind
    FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'f', 'u', 'c')
      AND conrelid::regclass::text <> 'alembic_version'
"""
INDEXES = """
    SELECT i.indrelid::regclass::text AS table_name, i.indexrelid::regclass::text AS name,
           i.indisunique AS is_unique
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = 'public'::regnamespace
      AND i.indrelid::regclass::text <> 'alembic_version'
      AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
"""
FOREIGN_KEYS_WITHOUT_INDEX = """
    SELECT k.conname FROM pg_constraint k
    WHERE k.contype = 'f' AND NOT EXISTS (
        SELECT 1 FROM pg_index i
        WHERE i.indrelid = k.conrelid AND i.indkey[0] = k.conkey[1]
          AND i.indpred IS NULL)
"""


@pytest.mark.parametrize("query", [CONSTRAINTS, INDEXES], ids=["constraints", "indexes"])
def test_names_follow_the_convention(session: Session, query: str) -> None:
    rows = [row._asdict() for row in session.execute(text(query))]
    assert len(rows) > 5
    wrong = [row["name"] for row in rows if row["name"] not in SPECIFIED and not follows(row)]
    assert wrong == []


def follows(row: dict[str, Any]) -> bool:
    index_prefix = "uq" if row.get("is_unique") else "ix"
    prefix = PREFIX_OF_KIND[row["kind"]] if "kind" in row else index_prefix
    pattern = rf"{prefix}_{row['table_name']}" + ("" if prefix == "pk" else r"_[a-z0-9_]+")
    # Postgres cuts longer names silently, and a cut name is not what the models say.
    return re.fullmatch(pattern, row["name"]) is not None and len(row["name"]) < 63


def test_specified_names_are_there(session: Session) -> None:
    names = set(session.scalars(text("SELECT conname FROM pg_constraint")))
    names |= set(session.scalars(text("SELECT indexname FROM pg_indexes")))
    assert names >= SPECIFIED


def test_deleting_a_referenced_row_never_scans_a_table(session: Session) -> None:
    """Each foreign key leads some index, or its cascade reads the whole table."""
    # Only a partial index leads with them. Deleting a person is rare and may take its time.
    allowed = {"fk_media_created_by_user_id_users", "fk_media_queued_for_user_id_users"}
    assert set(session.scalars(text(FOREIGN_KEYS_WITHOUT_INDEX))) == allowed

"""Every order and filter of a list costs about a page, however many items there are."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.orm import Session

from nexus.db.enums import MediaKind, ProcessingStatus, ReadingState
from nexus.schemas.shelf import MediaSort
from nexus.services.media_filter import MediaFilter
from nexus.services.media_list import list_media
from nexus.services.viewer import Viewer
from tests.databases import own_database
from tests.factories import make_user

pytestmark = pytest.mark.heavy

ITEMS = 40_000
# A page, or the few items that a filter leaves, and some that are looked at in vain.
MOST_ROWS = 4_000
FILL = """
    INSERT INTO media (kind, title, processing_status, word_count)
    SELECT 'web_article', md5(number::text), 'ready_for_reading', number % 5000
    FROM generate_series(1, :items) AS number;
    INSERT INTO library_media (library_id, media_id, created_at)
    SELECT :library, id, now() - interval '1 minute' * row_number() OVER (ORDER BY title)
    FROM media WHERE id NOT IN (SELECT media_id FROM library_media);
"""
# Among items that are archived: an inbox, favourites, some begun, a few books, some that failed.
ORDER = """
    UPDATE shelf_items SET archived = true WHERE user_id = :user;
    UPDATE shelf_items SET archived = false FROM (
        SELECT media_id FROM shelf_items WHERE user_id = :user ORDER BY media_id LIMIT 50
    ) AS few WHERE shelf_items.media_id = few.media_id;
    UPDATE shelf_items SET favourite = true, opened_at = now() FROM (
        SELECT media_id FROM shelf_items WHERE user_id = :user ORDER BY saved_at LIMIT 40
    ) AS few WHERE shelf_items.media_id = few.media_id;
    UPDATE shelf_items SET state = 'reading' FROM (
        SELECT media_id FROM shelf_items WHERE user_id = :user ORDER BY media_id DESC LIMIT 30
    ) AS few WHERE shelf_items.media_id = few.media_id;
    UPDATE media SET kind = 'epub' FROM (
        SELECT media_id FROM shelf_items WHERE user_id = :user ORDER BY media_id LIMIT 3
    ) AS few WHERE media.id = few.media_id;
    UPDATE media SET processing_status = 'failed', failure_stage = 'extract',
        last_error_code = 'E_X' FROM (
        SELECT media_id FROM shelf_items WHERE user_id = :user ORDER BY media_id DESC LIMIT 3
    ) AS few WHERE media.id = few.media_id;
    INSERT INTO tags (user_id, name, key)
    SELECT :user, name, name FROM unnest(ARRAY['rare', 'old', 'half']) AS name;
    INSERT INTO item_tags (user_id, media_id, tag_id)
    SELECT :user, media_id, tags.id FROM tags JOIN LATERAL (
        SELECT media_id FROM shelf_items WHERE user_id = :user
        ORDER BY CASE WHEN key = 'half' THEN media_id::text END, saved_at
        LIMIT CASE key WHEN 'rare' THEN 5 WHEN 'old' THEN 1500 ELSE :items / 2 END
    ) AS tagged ON true;
"""
FILTERS = {
    "all": MediaFilter(),
    "inbox": MediaFilter(archived=False),
    "archive": MediaFilter(archived=True),
    "favourites": MediaFilter(favourite=True),
    "others": MediaFilter(favourite=False),
    "books": MediaFilter(kind=MediaKind.EPUB),
    "articles": MediaFilter(kind=MediaKind.WEB_ARTICLE),
    "begun": MediaFilter(state=ReadingState.READING),
    "unread": MediaFilter(state=ReadingState.UNREAD),
    "finished": MediaFilter(state=ReadingState.FINISHED),
    "failed": MediaFilter(status=ProcessingStatus.FAILED),
    "ready": MediaFilter(status=ProcessingStatus.READY_FOR_READING),
    "a rare tag": MediaFilter(tags=("rare",)),
    "a tag of old items": MediaFilter(tags=("old",)),
    "a common tag": MediaFilter(tags=("half",)),
    "two tags": MediaFilter(tags=("half", "old")),
    "several": MediaFilter(tags=("half",), archived=True, kind=MediaKind.WEB_ARTICLE),
}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with own_database("lists") as engine:
        yield engine


@pytest.fixture(scope="module")
def viewer(engine: Engine) -> Viewer:
    """One person with many items, among others for whom other things are common."""
    with Session(engine) as session:
        session.execute(text("SET statement_timeout = 0"))
        viewer, other = make_user(session), make_user(session)
        for person, items in ((viewer, ITEMS), (other, ITEMS // 10)):
            values = {"library": person.default_library_id, "items": items}
            _run(session, FILL, values)
        _run(session, ORDER, {"user": viewer.user_id, "items": ITEMS})
        states = "UPDATE shelf_items SET state = 'finished', favourite = true WHERE user_id = :user"
        session.execute(text(states), {"user": other.user_id})
        session.commit()
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("SET statement_timeout = 0"))
        connection.execute(text("VACUUM ANALYZE"))
    return viewer


def _run(session: Session, script: str, values: dict[str, Any]) -> None:
    for statement in script.split(";\n"):
        if statement.strip():
            session.execute(text(statement), values)


@pytest.mark.parametrize("in_library", [False, True], ids=["all", "library"])
@pytest.mark.parametrize("name", FILTERS)
def test_a_page_of_any_list(name: str, in_library: bool, engine: Engine, viewer: Viewer) -> None:
    library_id = viewer.default_library_id if in_library else None
    only = replace(FILTERS[name], library_id=library_id)
    with Session(engine) as session:
        for sort in MediaSort:
            statements: list[tuple[str, Any]] = []

            def note(
                _c: Any, _cur: Any, statement: str, parameters: Any, *_: Any, to: Any = statements
            ) -> None:
                to.append((statement, parameters))

            event.listen(engine, "before_cursor_execute", note)
            page = list_media(session, viewer, cursor=None, limit=50, sort=sort, only=only)
            if page["next_cursor"]:
                list_media(
                    session, viewer, cursor=page["next_cursor"], limit=50, sort=sort, only=only
                )
            event.remove(engine, "before_cursor_execute", note)
            for statement, parameters in statements:
                _check(session, statement, parameters)


def _check(session: Session, statement: str, parameters: Any) -> None:
    connection = session.connection().connection.driver_connection
    assert connection is not None
    explain = f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}"
    [[answer]] = connection.execute(explain, parameters, prepare=False).fetchall()
    for node in _nodes(answer[0]["Plan"]):
        looked_at = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        assert looked_at * node["Actual Loops"] <= MOST_ROWS, json.dumps(node, indent=1)


def _nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for child in plan.get("Plans", []) for node in _nodes(child))]

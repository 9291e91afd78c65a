"""A batch of an import and the choice of a page cost the same, however much there is."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, event, select, text
from sqlalchemy.orm import Session

from nexus.db.enums import ImportState
from nexus.db.models import BackgroundSite, Import
from nexus.services import background_turns, ingest_turns
from nexus.services.imports import merged, preview, report, run, states
from nexus.services.sweeper import sweep_unfinished
from nexus.services.viewer import Viewer
from tests.databases import own_database
from tests.factories import make_user

pytestmark = pytest.mark.heavy

IMPORTS, LINES, DONE = 20, 5_000, 2_000
# A few for each line of a batch, or all lines of one import while Postgres has not counted them.
MOST_ROWS = 6_000
GROWING = {
    *("imports", "import_records", "media", "library_media", "shelf_items", "saved_addresses"),
    *("item_tags", "unplaced_highlights", "background_sites"),
}
MANY_IMPORTS = """
    INSERT INTO imports (user_id, name, format, format_label, items, state, created_at)
    SELECT :user, 'b.html', 'bookmarks', 'Bookmarks', :lines, 'done', now() - interval '1 day' * n
    FROM generate_series(1, :imports) AS n;
    INSERT INTO import_records (import_id, number, line, record, outcome)
    SELECT imports.id, n, n, jsonb_build_object(
        'line', n, 'url', 'https://site' || n % 500 || '.example/' || imports.id || '/' || n,
        'title', 'Page ' || n, 'tags', jsonb_build_array('tag' || n % 20)
    ), 'waiting'
    FROM imports, generate_series(1, :lines) AS n WHERE user_id = :user
"""
# The first lines of each import have their items. Most of these wait, the others are ready.
TAKEN_IN = """
    INSERT INTO tags (user_id, name, key, words)
    SELECT :user, 'tag' || n, 'tag' || n, 'tag' FROM generate_series(0, 19) AS n;
    INSERT INTO media (
        kind, title, requested_url, canonical_url, processing_status, created_by_user_id,
        queued_for_user_id, background_site, updated_at
    )
    SELECT 'web_article', record ->> 'url', record ->> 'url', record ->> 'url',
        CASE WHEN number % 4 = 0 THEN 'ready_for_reading' ELSE 'pending' END,
        :user, :user, 'site' || number % 500 || '.example', now() - interval '1 hour'
    FROM import_records JOIN imports ON imports.id = import_id
    WHERE user_id = :user AND number <= :done;
    UPDATE import_records SET media_id = media.id, outcome = 'added', added =
        '{"state": "unread", "archived": false, "favourite": false}'
    FROM media, imports
    WHERE canonical_url = record ->> 'url' AND imports.id = import_id AND user_id = :user;
    INSERT INTO saved_addresses (user_id, kind, lookup_key, media_id, words)
    SELECT :user, 'web_article', substr(canonical_url, 7), id, 'page'
    FROM media WHERE created_by_user_id = :user;
    INSERT INTO library_media (library_id, media_id)
    SELECT :library, id FROM media WHERE created_by_user_id = :user;
    INSERT INTO item_tags (user_id, media_id, tag_id)
    SELECT :user, media.id, tags.id FROM media JOIN tags ON tags.user_id = :user
    WHERE created_by_user_id = :user AND key = 'tag1'
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with own_database("imports") as engine:
        yield engine


@pytest.fixture(scope="module")
def newcomer(engine: Engine) -> Viewer:
    """Somebody who made many imports just now, so that Postgres has no statistics of them."""
    return _with_imports(engine)


@pytest.fixture(scope="module")
def regular(engine: Engine) -> Viewer:
    """Somebody with many imports, a minute later."""
    viewer = _with_imports(engine)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("SET statement_timeout = 0"))
        connection.execute(text("VACUUM ANALYZE"))
    return viewer


def _with_imports(engine: Engine) -> Viewer:
    with Session(engine) as session:
        session.execute(text("SET statement_timeout = 0"))
        viewer = make_user(session)
        values = {
            "user": viewer.user_id,
            "library": viewer.default_library_id,
            "imports": IMPORTS,
            "lines": LINES,
            "done": DONE,
        }
        for statement in (MANY_IMPORTS + ";\n" + TAKEN_IN).split(";\n"):
            session.execute(text(statement), values)
        session.commit()
    return viewer


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    with Session(engine) as session:
        yield session


@contextmanager
def looked_at(session: Session) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The statements that run in here, each with its plan as it was carried out."""
    found: list[tuple[str, dict[str, Any]]] = []

    def explain(connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if not statement.lstrip().upper().startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
            return
        raw = connection.connection.driver_connection
        raw.execute("SAVEPOINT explained")
        explained = f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}"
        [[plan]] = raw.execute(explained, parameters, prepare=False).fetchall()
        raw.execute("ROLLBACK TO explained")
        found.append((statement, plan[0]["Plan"]))

    event.listen(session.get_bind(), "before_cursor_execute", explain)
    try:
        yield found
    finally:
        event.remove(session.get_bind(), "before_cursor_execute", explain)


def _nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for child in plan.get("Plans", []) for node in _nodes(child))]


def _rows(node: dict[str, Any]) -> float:
    looked_at = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
    return float(looked_at * node["Actual Loops"])


def begun(session: Session, viewer: Viewer, state: ImportState, position: int) -> Import:
    """The newest of their imports, made to go on from there."""
    query = select(Import).where(Import.user_id == viewer.user_id)
    found = session.scalars(query.order_by(Import.created_at.desc()).limit(1)).one()
    found.state, found.position, found.unfinished = state, position, True
    session.flush()
    return found


def a_media(session: Session, viewer: Viewer, number: int) -> UUID:
    query = text("SELECT id FROM media WHERE created_by_user_id = :user LIMIT 1 OFFSET :number")
    found: UUID = session.scalars(query, {"user": viewer.user_id, "number": number}).one()
    return found


def batch(state: ImportState, position: int) -> Callable[[Session, Viewer], Callable[[], object]]:
    def prepare(session: Session, viewer: Viewer) -> Callable[[], object]:
        found = begun(session, viewer, state, position)
        return lambda: run._batch(session, found.id)

    return prepare


def the_same_again(session: Session, viewer: Viewer) -> Callable[[], object]:
    """Lines whose items are there: what a second run of a file finds."""
    found = begun(session, viewer, ImportState.RUNNING, 0)
    waiting = text("UPDATE import_records SET outcome = 'waiting' WHERE import_id = :id")
    session.execute(waiting, {"id": found.id})
    return lambda: run._batch(session, found.id)


def merge(session: Session, viewer: Viewer) -> Callable[[], object]:
    loser_id, winner_id = a_media(session, viewer, 0), a_media(session, viewer, 1)
    return lambda: merged.move_imports(session, loser_id=loser_id, winner_id=winner_id)


def put_off(session: Session, viewer: Viewer) -> Callable[[], object]:
    query = select(BackgroundSite).where(BackgroundSite.user_id == viewer.user_id).limit(1)
    chosen = session.scalars(query).one()
    return lambda: background_turns._put_off(session, chosen)


def page_of_report(session: Session, viewer: Viewer) -> Callable[[], object]:
    import_id = begun(session, viewer, ImportState.RUNNING, 0).id

    @contextmanager
    def same() -> Iterator[Session]:
        yield session

    lines = report.report_lines(same, import_id=import_id)
    return lambda: [next(lines), next(lines)]


def plain(act: Callable[[Session, Viewer], object]) -> Callable[..., Callable[[], object]]:
    return lambda session, viewer: lambda: act(session, viewer)


WORK: dict[str, Callable[[Session, Viewer], Callable[[], object]]] = {
    "a batch of new lines": batch(ImportState.RUNNING, DONE),
    "a batch of known lines": the_same_again,
    "a batch taken back": batch(ImportState.UNDONE, 0),
    "lines of merged items": merge,
    "a page of the report": page_of_report,
    "forgotten imports": plain(lambda session, _: states.take_forgotten_imports(session)),
    "the most neglected import": plain(lambda session, _: states.longest_untouched_import(session)),
    "old previews": plain(lambda session, _: preview.forget_old_previews(session)),
    "previews beyond the newest": plain(preview._forget_oldest),
    "the imported page that is next": plain(
        lambda session, _: background_turns.start_in_background(session)
    ),
    "an imported page soon": plain(lambda session, _: background_turns.next_in_background(session)),
    "how many could start": plain(
        lambda session, _: ingest_turns.count_startable(session, at_most=200)
    ),
    "a site that rests": plain(
        lambda session, _: background_turns.rest_site(session, site="site7.example")
    ),
    "a site without pages": put_off,
    "pages of a lost account": plain(
        lambda session, _: background_turns.take_over_orphans(session)
    ),
    "the sweeper": plain(lambda session, _: sweep_unfinished(session)),
}


# These read more until Postgres has counted the rows, for a minute at most.
ONCE_COUNTED = {"a batch of known lines", "pages of a lost account", "the sweeper"}


@pytest.mark.parametrize("name", [name for name in WORK if name not in ONCE_COUNTED])
def test_work_does_not_grow_with_what_was_just_imported(
    name: str, session: Session, newcomer: Viewer
) -> None:
    assert_work_is_bounded(name, session, newcomer)


@pytest.mark.parametrize("name", WORK)
def test_work_does_not_grow_with_what_is_there(
    name: str, session: Session, regular: Viewer
) -> None:
    assert_work_is_bounded(name, session, regular)


def assert_work_is_bounded(name: str, session: Session, viewer: Viewer) -> None:
    work = WORK[name](session, viewer)
    with looked_at(session) as statements:
        work()
    session.rollback()
    assert statements
    for statement, plan in statements:
        for node in _nodes(plan):
            if node.get("Relation Name") in GROWING:
                assert _rows(node) <= MOST_ROWS, f"{statement}\n{json.dumps(plan, indent=1)}"

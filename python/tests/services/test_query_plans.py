"""No statement of the main routes reads a growing table from end to end."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from bench import dataset
from bench.dataset import Dataset
from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from nexus.auth.tokens import Identity
from nexus.images.inspect import ImageForm
from nexus.schemas.highlights import CreateHighlightRequest
from nexus.services import (
    annotations,
    document_read,
    highlight_read,
    highlight_write,
    media_list,
    media_read,
    unplaced,
    unplaced_place,
    users,
)
from nexus.services.images.measure import take_waiting
from nexus.services.images.sizes import record_size
from nexus.services.media_filter import MediaFilter
from nexus.services.sweeper import sweep_unfinished
from nexus.services.viewer import KnownViewers, Viewer
from tests.databases import own_database

pytestmark = pytest.mark.heavy

GROWING = {
    *("media", "library_media", "fragments", "highlights", "annotations", "fragment_images"),
    *("shelf_items", "unplaced_highlights"),
}


# Most of what was imported is placed; of the rest, some waits.
_UNPLACED = """
    INSERT INTO unplaced_highlights (user_id, media_id, key, quote, prefix, suffix, note, state)
    SELECT %(person)s, id, n::text, 'A quote', '', '', '',
        CASE n WHEN 1 THEN 'waiting' WHEN 2 THEN 'not_found' ELSE 'placed' END
    FROM media, generate_series(1, 10) AS n
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with own_database("plans") as engine:
        yield engine


@pytest.fixture(scope="module")
def data(engine: Engine) -> Dataset:
    """Enough rows that reading all of them would be the dearest way."""
    url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True) as connection:
        data = dataset.load(connection, media=4_000, highlights=80_000)
        connection.execute(_UNPLACED, {"person": data.reader})
        connection.execute("ANALYZE unplaced_highlights")
        return data


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    with Session(engine) as session:
        yield session


@pytest.fixture
def viewer(session: Session, data: Dataset) -> Viewer:
    return users.viewer_for(session, Identity(data.reader, None), KnownViewers())


def create(session: Session, viewer: Viewer, data: Dataset) -> None:
    fragment_id, body = data.creation(0)
    request = CreateHighlightRequest.model_validate(body)
    made, _ = highlight_write.create_highlight(
        session, viewer, fragment_id=fragment_id, request=request
    )
    annotations.put_annotation(session, viewer, highlight_id=made.id, body="A note.")
    highlight_write.delete_highlight(session, viewer, highlight_id=made.id)


ROUTES: dict[str, Callable[[Session, Viewer, Dataset], object]] = {
    "the viewer": lambda session, viewer, _data: users.viewer_for(
        session, Identity(viewer.user_id, None), KnownViewers()
    ),
    "highlights of a text": lambda session, viewer, data: highlight_read.list_fragment_highlights(
        session, viewer, fragment_id=data.to_read[0].fragment_id
    ),
    "highlights of an item": lambda session, viewer, data: highlight_read.list_media_highlights(
        session, viewer, media_id=data.to_read[0].media_id
    ),
    "all highlights": lambda session, viewer, _data: highlight_read.list_all_highlights(
        session, viewer, cursor=None, limit=50
    ),
    "a highlight made, annotated and deleted": create,
    "media": lambda session, viewer, _data: media_list.list_media(
        session, viewer, cursor=None, limit=50
    ),
    "media of a library": lambda session, viewer, _data: media_list.list_media(
        session,
        viewer,
        cursor=None,
        limit=50,
        only=MediaFilter(library_id=viewer.default_library_id),
    ),
    "an item": lambda session, viewer, data: media_read.get_media(
        session, viewer, media_id=data.to_read[0].media_id
    ),
    "its outline": lambda session, viewer, data: document_read.get_outline(
        session, viewer, media_id=data.to_read[0].media_id
    ),
    "its text": lambda session, viewer, data: document_read.list_fragments(
        session, viewer, media_id=data.to_read[0].media_id
    ),
    "an image that was measured": lambda session, _viewer, data: record_size(
        session,
        f"https://example.org/{data.to_read[0].fragment_id}/0.png",
        ImageForm("image/png", 3, 2),
    ),
    "the images to be measured": lambda session, _viewer, _data: take_waiting(session),
    "highlights without a place": lambda session, viewer, data: unplaced.list_unplaced(
        session, viewer, media_id=data.to_read[0].media_id
    ),
    "placing highlights": lambda session, viewer, data: unplaced_place.place(
        session, user_id=viewer.user_id, media_id=data.to_read[0].media_id
    ),
    "highlights that wait for a new text": lambda session, _viewer, data: unplaced.wait_for_text(
        session, media_id=data.to_read[0].media_id
    ),
    "highlights that move along": lambda session, _viewer, data: unplaced.move_unplaced(
        session, loser_id=data.to_read[0].media_id, winner_id=data.to_read[1].media_id
    ),
    "deleted highlights without a place": lambda session, _viewer, _data: unplaced.forget_deleted(
        session
    ),
    "the sweeper": lambda session, _viewer, _data: sweep_unfinished(session),
}


@pytest.mark.parametrize("name", ROUTES)
def test_no_growing_table_is_read_whole(
    name: str, session: Session, viewer: Viewer, data: Dataset
) -> None:
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
            statements.append((statement, parameters))

    event.listen(session.get_bind(), "before_cursor_execute", note)
    try:
        ROUTES[name](session, viewer, data)
    finally:
        event.remove(session.get_bind(), "before_cursor_execute", note)
    session.rollback()
    assert statements
    connection = session.connection().connection.driver_connection
    assert connection is not None
    for statement, parameters in statements:
        row = connection.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters).fetchone()
        plan = row[0][0]["Plan"]
        whole = {table for table in _scanned_whole(plan) if table in GROWING}
        assert not whole, f"{statement}\n{json.dumps(plan, indent=1)}"


def _scanned_whole(plan: dict[str, Any]) -> Iterator[str]:
    if plan["Node Type"] == "Seq Scan":
        yield plan["Relation Name"]
    for child in plan.get("Plans", []):
        yield from _scanned_whole(child)

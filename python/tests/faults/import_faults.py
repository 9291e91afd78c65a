"""An import that is cut off again and again: every line ends in the library, once."""

import contextlib
from collections.abc import Iterator
from typing import Any

import psycopg

from nexus.services.imports.run import _PERSON_LOCK
from tests.faults.reader import Saved
from tests.faults.scene import Scene

_ROUNDS = 3
_MANY = 40
"""Lines for each article of the other faults."""
_LOCK = "LOCK TABLE import_records IN SHARE MODE"


def import_cut_off(scene: Scene) -> list[Saved]:
    """API and worker are killed while lines are taken in, and while they are taken back."""
    urls = [f"{url}/imported" for url in scene.urls(scene.articles * _MANY)]
    path = f"/api/imports/{_uploaded(scene, urls)}"
    _killed_over_batches(scene, path, "start", rounds=_ROUNDS)
    _wait_for(scene, path, "done")
    held, distinct = _in_library(scene, urls)
    scene.check((held, distinct) == (len(urls), len(urls)), f"{held} entries, {distinct} items")
    outcomes = scene.stack.rows(
        "SELECT outcome, count(*) FROM import_records WHERE import_id = %s GROUP BY 1",
        path.rpartition("/")[2],
    )
    scene.check(outcomes == [("added", len(urls))], f"the lines are {outcomes}")
    _killed_over_batches(scene, path, "undo", rounds=1)
    _wait_for(scene, path, "undone")
    held, _ = _in_library(scene, urls)
    scene.check(held == 0, f"{held} items are left after the undo")
    scene.note(f"{len(urls)} lines, taken in and back")
    return []


def _uploaded(scene: Scene, urls: list[str]) -> str:
    lines = "\n".join(f'<DT><A HREF="{url}" TAGS="a,b">{url}</A>' for url in urls)
    file = f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n{lines}\n</DL><p>"
    answer = scene.reader.ask("POST", "/api/imports?name=faults.html", content=file.encode())
    assert answer is not None
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["id"])


def _killed_over_batches(scene: Scene, path: str, step: str, *, rounds: int) -> None:
    """Take a step; then a lock makes the worker stand in the middle of a batch: there it is killed.

    The lock is there before the worker begins, which could be done before anybody looked.
    """
    stack = scene.stack
    for number in range(rounds):
        with stack.database() as connection:
            try:
                if number == 0:
                    with _no_batch_begun(connection, path):
                        _ask(scene, f"{path}/{step}")
                        connection.execute(_LOCK)
                else:
                    connection.execute(_LOCK)
                scene.wait(lambda: stack.lock_waiters() > 0, "a batch is written")
                stack.kill_worker()
            finally:
                connection.rollback()


@contextlib.contextmanager
def _no_batch_begun(connection: psycopg.Connection[tuple[Any, ...]], path: str) -> Iterator[None]:
    """Have the turn of the person: a batch waits for it, a request for the import does not."""
    query = "SELECT hashtext(user_id::text) FROM imports WHERE id = %s"
    row = connection.execute(query, [path.rpartition("/")[2]]).fetchone()
    assert row is not None
    turn = [_PERSON_LOCK, row[0]]
    connection.execute("SELECT pg_advisory_lock(%s, %s)", turn)
    yield
    connection.execute("SELECT pg_advisory_unlock(%s, %s)", turn)


def _ask(scene: Scene, path: str) -> None:
    """Take a step; the API is killed right after it."""
    answer = scene.reader.ask("POST", path)
    assert answer is not None
    assert answer.status_code == 202, answer.text
    was = scene.stack.kill("api")
    scene.stack.wait_restarted("api", was)
    scene.stack.wait_all_answer()


def _wait_for(scene: Scene, path: str, state: str) -> None:
    def there() -> bool:
        answer = scene.reader.ask("GET", path)
        data: dict[str, Any] = (
            answer.json()["data"] if answer is not None and answer.is_success else {}
        )
        return data.get("state") == state and not data["unfinished"]

    scene.wait(there, f"the import is {state}")


def _in_library(scene: Scene, urls: list[str]) -> tuple[int, int]:
    query = (
        "SELECT count(*), count(DISTINCT media.id) FROM media"
        " JOIN library_media ON library_media.media_id = media.id WHERE requested_url = ANY(%s)"
    )
    held, distinct = scene.stack.rows(query, urls)[0]
    return int(held), int(distinct)

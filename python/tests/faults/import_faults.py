"""An import that is cut off again and again: every line ends in the library, once."""

from collections.abc import Callable
from typing import Any

from tests.faults.reader import Saved
from tests.faults.scene import Scene

_ROUNDS = 3
_MANY = 40
"""Lines for each article of the other faults."""


def import_cut_off(scene: Scene) -> list[Saved]:
    """API and worker are killed while lines are taken in, and while they are taken back."""
    urls = [f"{url}/imported" for url in scene.urls(scene.articles * _MANY)]
    path = f"/api/imports/{_uploaded(scene, urls)}"
    _killed_over_batches(scene, _ROUNDS, first=lambda: _ask(scene, f"{path}/start"))
    _wait_for(scene, path, "done")
    held, distinct = _in_library(scene, urls)
    scene.check((held, distinct) == (len(urls), len(urls)), f"{held} entries, {distinct} items")
    outcomes = scene.stack.rows(
        "SELECT outcome, count(*) FROM import_records WHERE import_id = %s GROUP BY 1",
        path.rpartition("/")[2],
    )
    scene.check(outcomes == [("added", len(urls))], f"the lines are {outcomes}")
    _killed_over_batches(scene, 1, first=lambda: _ask(scene, f"{path}/undo"))
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


def _killed_over_batches(scene: Scene, rounds: int, *, first: Callable[[], None]) -> None:
    """A lock makes the worker stand in the middle of a batch; there it is killed.

    The lock is there before `first` gives it something to do, which might be over soon.
    """
    stack = scene.stack
    for number in range(rounds):
        with stack.database() as connection:
            connection.execute("LOCK TABLE import_records IN SHARE MODE")
            try:
                if number == 0:
                    first()
                scene.wait(lambda: stack.lock_waiters() > 0, "a batch is written")
                stack.kill_worker()
            finally:
                connection.rollback()


def _ask(scene: Scene, path: str) -> None:
    """Take a step; the API is killed right after it."""
    answer = scene.reader.ask("POST", path)
    was = scene.stack.kill("api")
    scene.stack.wait_restarted("api", was)
    scene.stack.wait_all_answer()
    scene.check(answer is not None and answer.status_code == 202, f"{path}: {answer}")


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

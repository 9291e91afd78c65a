"""Saving articles through the API, and waiting until they are ready."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg

from bench.dataset import data_of
from bench.load import Connection, request
from bench.stack import Stack
from nexus.storage import get_storage_client


class Saver:
    """One reader who saves addresses."""

    def __init__(self, stack: Stack, user_id: UUID, listener: psycopg.Connection) -> None:
        self._stack = stack
        self._user_id = user_id
        self._listener = listener

    def save(self, url: str) -> UUID:
        return UUID(self._post("/media/from_url", {"url": url})["media_id"])

    def save_and_wait(self, url: str, *, limit: float = 60) -> float:
        """Seconds from the request to the committed article."""
        started = time.perf_counter()
        self._wait(self.save(url), started, limit)
        return time.perf_counter() - started

    def upload_and_wait(
        self, path: Path, *, kind: str, content_type: str, limit: float = 60
    ) -> float:
        """Seconds from announcing a file to its committed text."""
        started = time.perf_counter()
        content = path.read_bytes()
        announced = {
            "kind": kind,
            "filename": path.name,
            "content_type": content_type,
            "size_bytes": len(content),
        }
        target = self._post("/media/upload/init", announced)
        get_storage_client(self._stack.settings).put(
            target["storage_path"],
            content_type=content_type,
            size_bytes=len(content),
            chunks=[content],
        )
        self._post(f"/media/{target['media_id']}/ingest", {})
        self._wait(UUID(target["media_id"]), started, limit)
        return time.perf_counter() - started

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        # Between two requests the server may close a connection that nobody uses.
        connection = Connection(self._stack.api_socket)
        try:
            message = request("POST", path, self._stack.headers(self._user_id), body)
            return data_of(connection.ask(message))
        finally:
            connection.close()

    def _wait(self, media_id: UUID, started: float, limit: float) -> None:
        while not self._is_ready(media_id):
            if time.perf_counter() - started > limit:
                raise TimeoutError(f"{media_id} is not ready after {limit:.0f} s")
            self._wait_for_news(1.0)

    def finished(self) -> tuple[int, int]:
        """How many articles are ready, and how many failed."""
        row = self._listener.execute(
            "SELECT count(*) FILTER (WHERE processing_status = 'ready_for_reading'),"
            " count(*) FILTER (WHERE processing_status = 'failed')"
            " FROM media WHERE requested_url LIKE 'http://127.0.0.1%'"
        ).fetchone()
        assert row is not None
        return row[0], row[1]

    def _is_ready(self, media_id: UUID) -> bool:
        query = "SELECT processing_status, last_error_message FROM media WHERE id = %s"
        row = self._listener.execute(query, [media_id]).fetchone()
        if row is None or row[0] == "failed":
            raise RuntimeError(f"the article failed: {row[1] if row else 'it was merged'}")
        return bool(row[0] == "ready_for_reading")

    def _wait_for_news(self, seconds: float) -> None:
        """The database notifies when an item changes; polling would slow it down."""
        for _ in self._listener.notifies(timeout=seconds, stop_after=1):
            pass


@contextmanager
def saver(stack: Stack, user_id: UUID) -> Iterator[Saver]:
    """A reader with a connection to the API and a listener at the database."""
    with stack.connect() as listener:
        listener.execute("LISTEN media_events")
        yield Saver(stack, user_id, listener)

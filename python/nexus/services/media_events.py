"""Live changes of items, from Postgres NOTIFY to everyone who may see them.

One connection per process listens; each change is loaded once and sent to the subscribers that can
read the item. When a subscriber falls behind or the listener had to reconnect, clients are told to
load their lists again ("resync"), so nobody relies on a stream with a gap in it.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence, Set
from uuid import UUID

import psycopg
from anyio import to_thread
from sqlalchemy import ARRAY, Text, func, literal, select, text
from sqlalchemy.orm import Session, sessionmaker

from nexus.db.models import Membership
from nexus.errors import ImportNotFoundError, MediaNotFoundError, RateLimitedError
from nexus.logging import get_logger
from nexus.schemas.media import MediaOut
from nexus.services.imports.read import import_out
from nexus.services.media_access import follow_alias
from nexus.services.media_personal import readers
from nexus.services.media_read import media_out

logger = get_logger(__name__)

CHANNEL = "media_events"
HEARTBEAT_SECONDS = 15.0
_QUEUE_SIZE = 256
MAX_STREAMS_PER_USER = 20
_RECONNECT_SECONDS = 1.0

HELLO = b"event: hello\ndata: {}\n\n"
RESYNC = b"event: resync\ndata: {}\n\n"
_HEARTBEAT = b": still here\n\n"

Queue = asyncio.Queue[bytes]


class MediaEvents:
    """The subscribers of this process and the listener that feeds them."""

    def __init__(self, database_url: str, session_factory: sessionmaker[Session]) -> None:
        self._conninfo = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._session_factory = session_factory
        self._queues: defaultdict[UUID, set[Queue]] = defaultdict(set)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Listen for as long as the block lasts."""
        listener = asyncio.create_task(self._listen_forever())
        try:
            yield
        finally:
            listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listener

    @contextlib.contextmanager
    def subscription(self, user_id: UUID) -> Iterator[AsyncIterator[bytes]]:
        """The viewer's server-sent events while the block lasts, whether or not they are read."""
        if len(self._queues[user_id]) >= MAX_STREAMS_PER_USER:
            raise RateLimitedError(30, what="Nexus is open in too many tabs or windows.")
        queue: Queue = asyncio.Queue(_QUEUE_SIZE)
        self._queues[user_id].add(queue)
        try:
            yield _stream(queue)
        finally:
            self._queues[user_id].discard(queue)
            if not self._queues[user_id]:
                del self._queues[user_id]

    async def _listen_forever(self) -> None:
        while True:
            try:
                await self._listen()
            except Exception as error:  # whatever went wrong, keep listening
                logger.warning("media_events_lost", error=repr(error))
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen(self) -> None:
        async with await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, connect_timeout=5
        ) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._send_resync()
            async for notification in connection.notifies():
                await self._announce(notification.payload)

    async def _announce(self, payload: str) -> None:
        """An item changed, maybe for one person alone; a library or a person lost some."""
        if not self._queues:
            return
        try:
            events = await to_thread.run_sync(self._load, payload, frozenset(self._queues))
        except Exception:
            logger.exception("media_event_not_loaded", payload=payload)
            self._send_resync()
            return
        for user_id in events.keys() & self._queues.keys():
            for queue in self._queues[user_id]:
                _put(queue, events[user_id])

    def _load(self, payload: str, listening: frozenset[UUID]) -> dict[UUID, bytes]:
        """The event for each connected person it concerns."""
        match payload.split(":"):
            case ["lost", library_id, user_id]:
                return {UUID(user_id): _removed(UUID(library_id))}
            case ["removed", library_id]:
                event = _removed(UUID(library_id))
                return dict.fromkeys(self._members(UUID(library_id)), event)
            case ["mine", user_id, media_id]:
                return self._load_change(UUID(media_id), {UUID(user_id)} & listening)
            case ["import", user_id, import_id]:
                return self._load_import(UUID(user_id), UUID(import_id), listening)
            case ["added", library_id, media_id]:
                # To its members alone: other readers of the item have nothing to do with it.
                members = self._members(UUID(library_id)) & listening
                return self._load_change(UUID(media_id), members)
            case _:
                return self._load_change(UUID(payload), listening)

    def _load_change(self, media_id: UUID, listening: Set[UUID]) -> dict[UUID, bytes]:
        """The item as each of its connected readers sees it."""
        with self._session_factory() as session:
            current = follow_alias(session, media_id=media_id)
            merged = current != media_id
            events = {}
            for user_id in readers(session, media_id=current) & listening:
                # Removed in the meantime: there is nothing to send.
                with contextlib.suppress(MediaNotFoundError):
                    media = media_out(
                        session, viewer_id=user_id, media_id=current, duplicate=merged
                    )
                    events[user_id] = _changed(media_id, media)
            return events

    def _load_import(
        self, user_id: UUID, import_id: UUID, listening: frozenset[UUID]
    ) -> dict[UUID, bytes]:
        if user_id not in listening:
            return {}
        with self._session_factory() as session, contextlib.suppress(ImportNotFoundError):
            found = import_out(session, user_id=user_id, import_id=import_id)
            return {user_id: f"event: import\ndata: {found.model_dump_json()}\n\n".encode()}
        return {}

    def _members(self, library_id: UUID) -> set[UUID]:
        with self._session_factory() as session:
            query = select(Membership.user_id).where(Membership.library_id == library_id)
            return set(session.scalars(query))

    def _send_resync(self) -> None:
        for queues in self._queues.values():
            for queue in queues:
                _put(queue, RESYNC)


def announce_mine(session: Session, *, user_id: UUID, media_ids: Sequence[UUID]) -> None:
    """Something of this person's own changed: only their other tabs and devices are told."""
    payloads = [f"mine:{user_id}:{media_id}" for media_id in media_ids]
    each = func.unnest(literal(payloads, ARRAY(Text)))
    session.execute(select(func.pg_notify(CHANNEL, each)))


def announce_import(session: Session, *, user_id: UUID, import_id: UUID) -> None:
    """An import of this person has moved on: one event for all that changed."""
    session.execute(select(func.pg_notify(CHANNEL, f"import:{user_id}:{import_id}")))


def announce_library(session: Session, *, library_id: UUID) -> None:
    """A library holds many other items now: its members load it again."""
    session.execute(select(func.pg_notify(CHANNEL, f"removed:{library_id}")))


def announce_nothing_else(session: Session) -> None:
    """Until the transaction ends, items that come or change are not announced one by one."""
    session.execute(text("SET LOCAL nexus.quiet = 'on'"))


def _changed(media_id: UUID, media: MediaOut) -> bytes:
    data = f'{{"media_id":"{media_id}","media":{media.model_dump_json()}}}'
    return f"event: media\ndata: {data}\n\n".encode()


def _removed(library_id: UUID) -> bytes:
    return f'event: removed\ndata: {{"library_id":"{library_id}"}}\n\n'.encode()


async def _stream(queue: Queue) -> AsyncIterator[bytes]:
    """What comes through the queue; a comment now and then keeps the connection open."""
    yield HELLO
    while True:
        try:
            yield await asyncio.wait_for(queue.get(), HEARTBEAT_SECONDS)
        except TimeoutError:
            yield _HEARTBEAT


def _put(queue: Queue, event: bytes) -> None:
    if queue.full():
        while not queue.empty():
            queue.get_nowait()
        event = RESYNC
    queue.put_nowait(event)

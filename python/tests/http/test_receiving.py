"""Bodies that fall silent or trickle are given up at their limits, in virtual time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from nexus.errors import ApiError
from nexus.http import received_file, stored_bytes
from nexus.storage.errors import UploadIncomplete
from tests.http.virtual_time import HurryingLoop

Receive = Callable[[Any, BytesIO], Awaitable[None]]


async def into_storage(request: Any, file: BytesIO) -> None:
    pending: Any = SimpleNamespace(write=file.write)
    idle, upload = stored_bytes.IDLE_SECONDS, stored_bytes.UPLOAD_SECONDS
    await stored_bytes._receive(request, pending, idle, upload)


async def into_a_file(request: Any, file: BytesIO) -> None:
    await received_file._receive(request, file, 1024 * 1024)


BOTH = pytest.mark.parametrize(
    ("module", "receive"),
    [(stored_bytes, into_storage), (received_file, into_a_file)],
    ids=["storage", "file"],
)


@pytest.fixture
def loop() -> Iterator[HurryingLoop]:
    loop = HurryingLoop()
    yield loop
    loop.close()


def received(
    loop: HurryingLoop, module: ModuleType, receive: Receive, *, pieces: int, pause: float
) -> bytes:
    """The part of a body that arrived, sent in so many pieces with a pause before each."""

    async def at_once(call: Callable[..., Any], *args: Any) -> Any:
        return call(*args)

    async def stream() -> AsyncIterator[bytes]:
        for _ in range(pieces):
            await asyncio.sleep(pause)
            yield b"x"

    file = BytesIO()
    # In a thread of its own: where a browser is driven, the main thread has a loop already.
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as pool:
        patch.setattr(module, "run_sync", at_once)
        coroutine = receive(SimpleNamespace(stream=stream), file)
        pool.submit(loop.run_until_complete, coroutine).result()
    return file.getvalue()


@BOTH
def test_silence_has_a_limit(loop: HurryingLoop, module: ModuleType, receive: Receive) -> None:
    began = loop.now
    with pytest.raises((UploadIncomplete, ApiError)):
        received(loop, module, receive, pieces=3, pause=61)
    assert loop.now == began + 60


@BOTH
def test_a_body_that_trickles_has_an_hour(
    loop: HurryingLoop, module: ModuleType, receive: Receive
) -> None:
    began = loop.now
    with pytest.raises((UploadIncomplete, ApiError)):
        received(loop, module, receive, pieces=1_000, pause=50)
    assert loop.now == began + 3600


@BOTH
def test_a_slow_body_arrives(loop: HurryingLoop, module: ModuleType, receive: Receive) -> None:
    assert received(loop, module, receive, pieces=59, pause=59) == b"x" * 59

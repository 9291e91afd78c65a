"""Places are shared: nobody takes all, and an account that has none is served first."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from nexus.errors import RateLimitedError, UnavailableError
from nexus.http.account_places import AccountPlaces
from tests.coroutines import run
from tests.patience import PATIENCE_SECONDS


def test_nobody_takes_more_than_their_own() -> None:
    async def play() -> None:
        places = AccountPlaces(total=10, each=2)
        await places.take("a")
        await places.take("a")
        with pytest.raises(RateLimitedError) as refused:
            await places.take("a")
        assert (refused.value.status, refused.value.headers) == (429, {"Retry-After": "10"})
        await places.take("b")
        places.give_back("a")
        await places.take("a")

    run(play())


def test_the_last_places_are_for_those_who_have_none() -> None:
    async def play() -> None:
        places = AccountPlaces(total=4, each=4, reserved=2)
        await places.take("a")
        await places.take("a")
        with pytest.raises(RateLimitedError):
            await places.take("a")
        await places.take("b")
        with pytest.raises(RateLimitedError):
            await places.take("b")
        await places.take("c")
        with pytest.raises(UnavailableError) as refused:
            await places.take("d")
        assert refused.value.headers["Retry-After"]

    run(play())


def test_who_has_the_fewest_is_served_first() -> None:
    async def play() -> None:
        places = AccountPlaces(total=2, each=2, max_queued=9, max_wait=PATIENCE_SECONDS)
        served: list[str] = []

        async def wait(name: str) -> None:
            await places.take(name)
            served.append(name)

        await places.take("a")
        await places.take("a")
        waiting = [asyncio.create_task(wait(name)) for name in ("a", "a", "b")]
        await _until(lambda: len(places._queues) == 2)
        places.give_back("a")
        await _until(lambda: bool(served))
        assert served == ["b"]
        places.give_back("b")
        await _until(lambda: len(served) == 2)
        places.give_back("a")
        await asyncio.gather(*waiting)
        assert served == ["b", "a", "a"]

    run(play())


@pytest.mark.parametrize("cancelled", [False, True])
def test_who_gives_up_waiting_leaves_nothing_behind(cancelled: bool) -> None:
    async def play() -> None:
        places = AccountPlaces(
            total=1, each=1, max_queued=1, max_wait=PATIENCE_SECONDS if cancelled else 0
        )
        await places.take("a")
        waiting = asyncio.create_task(places.take("b"))
        await _until(lambda: bool(places._queues) or waiting.done())
        if cancelled:
            waiting.cancel()
        with pytest.raises(asyncio.CancelledError if cancelled else UnavailableError):
            await waiting
        places.give_back("a")
        assert (places._in_use, dict(places._held), places._queues) == (0, {}, {})

    run(play())


def test_a_block_gives_its_place_back_whatever_happens() -> None:
    async def fail(places: AccountPlaces) -> None:
        async with places.taken("a"):
            raise KeyError

    async def play() -> None:
        places = AccountPlaces(total=1, each=1)
        with pytest.raises(KeyError):
            await fail(places)
        await places.take("b")

    run(play())


async def _until(condition: Callable[[], bool]) -> None:
    async def holds() -> None:
        while not condition():
            await asyncio.sleep(0)

    held: Awaitable[None] = holds()
    await asyncio.wait_for(held, PATIENCE_SECONDS)

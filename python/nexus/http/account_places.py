"""Places that accounts share: no account takes all, and some are reserved for those without."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from nexus.errors import RateLimitedError, UnavailableError


class AccountPlaces:
    """`total` places, at most `each` for one account; a caller that finds none waits for a while.

    The last `reserved` of them are only for accounts that have none. Used from one event loop.
    """

    def __init__(
        self,
        *,
        total: int,
        each: int,
        reserved: int = 0,
        max_queued: int = 0,
        max_wait: float = 0.0,
        retry_after: int = 10,
    ) -> None:
        self.total = total
        self._each = each
        self._reserved = reserved
        self._max_queued = max_queued
        self._max_wait = max_wait
        self._retry_after = retry_after
        self._held: Counter[str] = Counter()
        self._in_use = 0
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def taken(self, account: str) -> AsyncIterator[None]:
        """A place for as long as the block lasts."""
        await self.take(account)
        try:
            yield
        finally:
            self.give_back(account)

    async def take(self, account: str) -> None:
        """Wait for a place. Raise when too many of the account wait, or this one too long."""
        queue = self._queues.get(account, ())
        if not queue and self._may_have_another(account):
            self._grant(account)
            return
        if len(queue) >= self._max_queued:
            if self._held[account] >= 1:
                raise RateLimitedError(self._retry_after, what="Too many requests at once.")
            raise self._too_busy()
        await self._wait(account)

    def give_back(self, account: str) -> None:
        self._held[account] -= 1
        if not self._held[account]:
            del self._held[account]
        self._in_use -= 1
        self._serve_waiting()

    async def _wait(self, account: str) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(account, deque()).append(place)
        try:
            await asyncio.wait_for(asyncio.shield(place), self._max_wait)
        except BaseException as error:
            if place.done():
                # Granted at the very moment the wait was given up.
                self.give_back(account)
            else:
                self._leave(account, place)
            if isinstance(error, TimeoutError):
                raise self._too_busy() from None
            raise

    def _serve_waiting(self) -> None:
        """Accounts with the fewest places come first, then those that have waited longest."""
        while True:
            able = [account for account in self._queues if self._may_have_another(account)]
            if not able:
                return
            account = min(able, key=lambda name: self._held[name])
            place = self._queues[account][0]
            self._leave(account, place)
            self._grant(account)
            place.set_result(None)

    def _leave(self, account: str, place: asyncio.Future[None]) -> None:
        queue = self._queues.pop(account)
        queue.remove(place)
        if queue:
            # At the end: the next turn is somebody else's.
            self._queues[account] = queue

    def _may_have_another(self, account: str) -> bool:
        held = self._held[account]
        room = self.total if held == 0 else self.total - self._reserved
        return held < self._each and self._in_use < room

    def _grant(self, account: str) -> None:
        self._held[account] += 1
        self._in_use += 1

    @staticmethod
    def _too_busy() -> UnavailableError:
        return UnavailableError("Nexus is too busy right now. Try again in a moment.")

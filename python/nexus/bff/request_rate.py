"""How many requests an account may make, in all and at a time."""

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from limits import parse

from nexus.errors import RateLimitedError
from nexus.http.account_places import AccountPlaces

Value = TypeVar("Value")

# Buckets that were not used for a while are full again, and need not be remembered.
_REMEMBERED = 10_000
# More than a person ever needs; a program may.
_BUSY_RATE = "200/20 seconds"


class Buckets:
    """A bucket for each account, which refills with time. Used from one event loop."""

    def __init__(self, rate: str, *, now: Callable[[], float] = time.monotonic) -> None:
        item = parse(rate)
        self._size = float(item.amount)
        self.per_second = item.amount / item.get_expiry()
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def left(self, account: str) -> float:
        left, then = self._left.get(account, (self._size, self._now()))
        return min(self._size, left + (self._now() - then) * self.per_second)

    def take(self, account: str) -> None:
        """Take a token out, if there is one."""
        _remember(self._left, account, (max(0.0, self.left(account) - 1), self._now()))


class RequestRate:
    """What one process has counted. Used from one event loop."""

    def __init__(self, rate: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._allowed = Buckets(rate, now=now)
        self._unthrottled = Buckets(_BUSY_RATE, now=now)
        self._turns = AccountPlaces(total=4, each=1, max_queued=200, max_wait=20)
        self._accounts: OrderedDict[str, str] = OrderedDict()

    def refuse_early(self, credential: str) -> None:
        """Raise when the account that last used this credential has nothing left.

        Called before the credential is looked up: refusing must cost less than serving.
        """
        account = self._accounts.get(credential)
        if account is not None:
            self._raise_if_empty(account)

    def count(self, account: str, *, credential: str) -> None:
        """Count a request of an account; raise when there were too many."""
        _remember(self._accounts, credential, account)
        self._raise_if_empty(account)
        self._allowed.take(account)
        self._unthrottled.take(account)

    @asynccontextmanager
    async def turn(self, *, credential: str) -> AsyncIterator[None]:
        """Wait, if the account makes so many requests that it is served one at a time."""
        account = self._accounts.get(credential)
        if account is None or self._unthrottled.left(account) >= 1:
            yield
            return
        async with self._turns.taken(account):
            yield

    def _raise_if_empty(self, account: str) -> None:
        left = self._allowed.left(account)
        if left < 1:
            seconds = max(1, round((1 - left) / self._allowed.per_second))
            raise RateLimitedError(seconds, what="Too many requests.")


def _remember(known: OrderedDict[str, Value], key: str, value: Value) -> None:
    known[key] = value
    known.move_to_end(key)
    if len(known) > _REMEMBERED:
        known.popitem(last=False)

"""How many requests an account may send: a bucket that refills, generous for people."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from limits import parse

from nexus.errors import RateLimitedError

Value = TypeVar("Value")

# Buckets that nobody used for long are full again, and need not be remembered.
_REMEMBERED = 10_000


class RequestRate:
    """One process's buckets. Used from one event loop."""

    def __init__(self, rate: str, *, now: Callable[[], float] = time.monotonic) -> None:
        item = parse(rate)
        self._size = float(item.amount)
        self._per_second = item.amount / item.get_expiry()
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._accounts: OrderedDict[str, str] = OrderedDict()

    def refuse_early(self, credential: str) -> None:
        """Raise when the account that last showed this credential has nothing left.

        Before anybody looks the credential up: refusing must cost less than serving.
        """
        account = self._accounts.get(credential)
        if account is not None:
            self._raise_if_empty(self._left(account))

    def count(self, account: str, *, credential: str) -> None:
        """Count a request of an account; raise when there were too many."""
        _remember(self._accounts, credential, account)
        left = self._left(account)
        self._raise_if_empty(left)
        _remember(self._buckets, account, (left - 1, self._now()))

    def _left(self, account: str) -> float:
        left, then = self._buckets.get(account, (self._size, self._now()))
        return min(self._size, left + (self._now() - then) * self._per_second)

    def _raise_if_empty(self, left: float) -> None:
        if left < 1:
            seconds = max(1, round((1 - left) / self._per_second))
            raise RateLimitedError(seconds, what="Too many requests.")


def _remember(known: OrderedDict[str, Value], key: str, value: Value) -> None:
    known[key] = value
    known.move_to_end(key)
    if len(known) > _REMEMBERED:
        known.popitem(last=False)

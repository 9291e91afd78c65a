"""Tests make hundreds of accounts that protect nothing: their passwords are hashed cheaply."""

from collections.abc import Iterator
from contextlib import contextmanager

from argon2 import PasswordHasher

from nexus.auth import passwords

_FULL = passwords._hasher
_LOW = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def hash_at_low_cost() -> None:
    """From now on, in this process."""
    _use(_LOW)


@contextmanager
def full_cost() -> Iterator[None]:
    """Within the block, as outside tests."""
    _use(_FULL)
    try:
        yield
    finally:
        _use(_LOW)


def _use(hasher: PasswordHasher) -> None:
    passwords._hasher = hasher
    passwords._hash_of_nothing.cache_clear()

"""Ids of things that are made together."""

from uuid import UUID, uuid4

_LAST = 32


def consecutive_ids(count: int) -> list[UUID]:
    """New ids that differ in their last digits only: a long list of them compresses well.

    The rest of 96 bits is random, as in every other id.
    """
    first = uuid4().int >> _LAST << _LAST
    return [UUID(int=first + number) for number in range(count)]

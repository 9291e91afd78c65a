"""What errors say to a person."""

import pytest

from nexus.errors import RateLimitedError


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "in 1 second."),
        (45, "in 45 seconds."),
        (90, "in 90 seconds."),
        (91, "in 2 minutes."),
        (600, "in 10 minutes."),
    ],
)
def test_how_long_to_wait(seconds: int, words: str) -> None:
    error = RateLimitedError(seconds)
    assert error.message == f"Too many attempts. Try again {words}"
    assert error.headers == {"Retry-After": str(seconds)}

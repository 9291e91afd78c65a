"""Letting go of memory at rest."""

import threading
import time

import pytest

from nexus import memory
from tests.patience import PATIENCE_SECONDS


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_ROUND_SECONDS", 0.05)
    monkeypatch.setattr(memory, "_watched", set())


def test_a_process_that_comes_to_rest_lets_go_once() -> None:
    released: list[float] = []
    first = threading.Event()

    def release() -> None:
        released.append(time.process_time())
        first.set()

    memory.at_rest(release)
    memory.at_rest(lambda: released.append(-1))
    assert first.wait(PATIENCE_SECONDS)
    assert -1 not in released


def test_a_busy_process_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = threading.Event()
    clock = iter(float(second) for second in range(1_000_000))

    def busy() -> float:
        spent = next(clock)
        if spent > 10:
            rounds.set()
        return spent

    monkeypatch.setattr("nexus.memory.time.process_time", busy)
    released = threading.Event()
    memory.at_rest(released.set)
    assert rounds.wait(PATIENCE_SECONDS)
    assert not released.is_set()

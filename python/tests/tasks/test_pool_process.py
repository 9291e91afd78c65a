"""When a process of the worker's pool is replaced."""

import pytest

from nexus.celery import MOST_MEMORY_OF_A_PROCESS, celery_app
from nexus.extractors.web_article import node_shared
from nexus.tasks import pool_process


@pytest.fixture
def tired(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that worked, came to rest, and has no extractor."""
    monkeypatch.setattr("nexus.tasks.pool_process.time.process_time", lambda: 60.0)
    monkeypatch.setattr(pool_process._Process, "rested", True)
    monkeypatch.setattr(node_shared, "is_running", lambda: False)


def is_replaced() -> bool:
    limit: int = celery_app.conf.worker_max_memory_per_child
    return pool_process.said_memory() > limit


def test_one_that_worked_and_rests_is_replaced(tired: None) -> None:
    assert is_replaced()


def test_one_that_did_nothing_stays(tired: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nexus.tasks.pool_process.time.process_time", lambda: 0.3)
    assert not is_replaced()
    # Celery takes nothing, or less, for a failed measurement.
    assert pool_process.said_memory() > 0


def test_one_that_works_stays(tired: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_process._Process, "rested", False)
    assert not is_replaced()


def test_one_with_an_extractor_keeps_it(tired: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_shared, "is_running", lambda: True)
    assert not is_replaced()


def test_what_celery_allows_is_what_is_said() -> None:
    assert celery_app.conf.worker_max_memory_per_child == MOST_MEMORY_OF_A_PROCESS

"""What was logged while a test ran."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest


class Lines(logging.Handler):
    """Every structured line that was logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        if isinstance(record.msg, dict):
            self.lines.append(record.msg)


@pytest.fixture
def logged() -> Iterator[list[dict[str, Any]]]:
    handler, root = Lines(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel("INFO")
    yield handler.lines
    root.setLevel(level)
    root.removeHandler(handler)

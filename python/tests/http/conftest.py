"""What was logged while a test ran."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from nexus.config import get_settings
from nexus.logging import QUIETED, configure_logging


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
    """Everything logged, with logging set up as a server process does it; undone afterwards."""
    root, lines = logging.getLogger(), Lines()
    handlers, level, config = root.handlers[:], root.level, structlog.get_config()
    levels = {name: logging.getLogger(name).level for name in QUIETED}
    settings = get_settings().model_copy(update={"log_level": "info"})
    configure_logging(settings, service="test")
    root.handlers = [lines]
    yield lines.lines
    root.handlers = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)
    structlog.configure(**config)

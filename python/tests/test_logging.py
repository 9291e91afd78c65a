"""Structured logs: one JSON object a line, nothing secret in it."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest

from nexus.config import get_settings
from nexus.logging import configure_logging, get_logger, task_log_context


@contextmanager
def logging_as(log_format: str) -> Iterator[None]:
    """Logging as a process with this format sets it up; the run's own afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    settings = get_settings().model_copy(update={"log_format": log_format, "log_level": "info"})
    configure_logging(settings, service="test")
    yield
    root.handlers, root.level = handlers, level


def fail_with(secret: str) -> None:
    password = f"hidden-{secret}"
    raise ValueError(f"nothing to tell of {len(password)} characters")


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_tracebacks_without_local_variables(
    log_format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = uuid4().hex
    with logging_as(log_format):
        try:
            fail_with(secret)
        except ValueError as error:
            logging.getLogger("third.party").error("it broke", exc_info=error)
            get_logger("nexus.test").error("it broke", exc_info=error)
    output = capsys.readouterr().out
    assert output.count("fail_with") >= 2
    assert secret not in output


def test_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_as("json"):
        with task_log_context("request-1", media_id="m"):
            get_logger("nexus.test").info("two\nlines", password="p", Authorization="x", token="t")
        logging.getLogger("third.party").warning("%s", "foreign")
    own, foreign = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert own["event"] == "two\nlines"
    assert (own["request_id"], own["media_id"], own["level"]) == ("request-1", "m", "info")
    assert {own["password"], own["Authorization"], own["token"]} == {"[redacted]"}
    assert (foreign["event"], foreign["logger"]) == ("foreign", "third.party")

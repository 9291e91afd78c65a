"""Frees what a failed test holds before the next one begins.

Its frames live on in its traceback, with connections that nobody closed. Collected at some other
time, these would be charged to another test, which would fail by chance.
"""

import gc
import traceback
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and call.excinfo is not None and not item.config.option.usepdb:
        _clear(call.excinfo.value)
        gc.collect()
    return report


def _clear(error: BaseException) -> None:
    """Free the variables of every frame it and its causes came through."""
    errors, seen = [error], set[int]()
    while errors:
        each = errors.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        traceback.clear_frames(each.__traceback__)
        for frame, _ in traceback.walk_tb(each.__traceback__):
            # Printing them left a copy in the frame; reading it refreshes that copy.
            frame.f_locals  # noqa: B018
        errors += [cause for cause in (each.__cause__, each.__context__) if cause is not None]
        if isinstance(each, BaseExceptionGroup):
            errors += each.exceptions

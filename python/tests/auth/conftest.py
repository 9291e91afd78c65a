"""An issuer per test."""

from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer

from tests.auth.issuer import Issuer


@pytest.fixture
def issuer(httpserver: HTTPServer) -> Issuer:
    return Issuer(httpserver)


@pytest.fixture
def unused_httpserver() -> Iterator[HTTPServer]:
    """A server of the test's own, to be stopped at will."""
    with HTTPServer() as server:
        yield server
        if server.is_running():
            server.clear()

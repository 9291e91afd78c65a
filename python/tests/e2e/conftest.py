from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from sqlalchemy.orm import Session

from tests.browser import browser
from tests.live import LiveNexus

pytest.register_assert_rewrite("tests.e2e.reading")

from tests.e2e.reading import Person, person  # noqa: E402 (after the line that prepares it)

__all__ = ["browser"]


@pytest.fixture
def reader(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Person]:
    """A person with a new account, at a desk."""
    with person(nexus, browser, session) as someone:
        yield someone


@pytest.fixture
def phone_reader(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[Person]:
    """A person with a new account, holding a small phone."""
    small = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
    with person(nexus, browser, session, **small) as someone:
        yield someone

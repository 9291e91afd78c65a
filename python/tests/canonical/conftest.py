from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import page
from tests.canonical.twin import Twin

__all__ = ["page"]


@pytest.fixture(scope="session")
def twin(browser: Browser) -> Iterator[Twin]:
    """The browser's own canonicalizer, in a blank page."""
    context = browser.new_context()
    blank: Page = context.new_page()
    yield Twin(blank)
    context.close()

from collections.abc import Iterator

import pytest

from tests.extractors.web_article.lighthouse import Site


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()

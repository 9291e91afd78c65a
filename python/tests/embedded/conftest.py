"""Folders for real servers."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder of our own. Not tmp_path: pytest closes its folders again to other accounts."""
    folder = Path(tempfile.mkdtemp(prefix="nexus-test-"))
    yield folder
    shutil.rmtree(folder)

"""A real Chromium for tests: one per test process, started when a test first asks for it.

The top conftest.py makes `browser` a fixture; import `page` where a bare page is wanted.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.patience import PATIENCE_SECONDS

REPOSITORY = Path(__file__).resolve().parents[2]
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    # Tests reach this machine and nothing else.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


@dataclass(frozen=True)
class Chromium:
    """A browser to start, and the environment it needs beside ours."""

    path: str
    env: dict[str, str] = field(default_factory=dict)


def find_chromium() -> Chromium:
    """The browser named by NEXUS_CHROMIUM, the one ingestion uses, or the system's."""
    named = os.environ.get("NEXUS_CHROMIUM")
    if named:
        return Chromium(named)
    finder = REPOSITORY / "node" / "ingest" / "chromium-path.mjs"
    if finder.exists():
        found = subprocess.run(
            ["node", finder, "--json"], capture_output=True, text=True, timeout=PATIENCE_SECONDS
        )
        if found.returncode == 0:
            answer = json.loads(found.stdout)
            return Chromium(answer["path"], answer["env"])
    system = Path("/usr/bin/chromium")
    if system.exists():
        return Chromium(str(system))
    raise RuntimeError("No Chromium was found. Run scripts/setup-node, or set NEXUS_CHROMIUM.")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium shared by the tests of one process."""
    chromium = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.path,
            args=list(ARGUMENTS),
            env={**os.environ, **chromium.env},
            headless=True,
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own."""
    context = browser.new_context()
    yield context.new_page()
    context.close()

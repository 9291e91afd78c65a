"""The browser that ingestion uses, for Playwright."""

import json
import os
import subprocess
from typing import Any

from nexus.config import PROJECT_ROOT


def launch_options() -> dict[str, Any]:
    """How to launch it."""
    finder = PROJECT_ROOT / "node" / "ingest" / "chromium-path.mjs"
    found = subprocess.run(
        ["node", str(finder), "--json"], check=True, capture_output=True, text=True, timeout=60
    )
    response = json.loads(found.stdout)
    return {
        "executable_path": response["path"],
        "env": {**os.environ, **response["env"]},
        "args": ["--no-sandbox", "--disable-gpu"],
    }

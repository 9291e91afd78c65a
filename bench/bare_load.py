"""Drives `bare-load.mjs`: the least that can be done to read an article."""

import json
import subprocess
from pathlib import Path

from nexus.config import PROJECT_ROOT

_PROGRAM = Path(__file__).with_name("bare-load.mjs")


class BareLoader:
    """A browser of its own that loads a page and runs Readability in it, and nothing else."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["node", str(_PROGRAM)],
            cwd=PROJECT_ROOT / "node" / "ingest",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def load(self, url: str, *, cold: bool) -> float:
        """Seconds; a cold load starts the browser first."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"url": url, "cold": cold}) + "\n")
        self._process.stdin.flush()
        response = json.loads(self._process.stdout.readline())
        if response["characters"] == 0:
            raise RuntimeError(f"no article found at {url}")
        return float(response["ms"]) / 1000

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(20)

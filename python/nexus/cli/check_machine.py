"""Checks of what is installed: Python, Node, packages, the built web app, a browser."""

import importlib.metadata
import os
import platform
import re
import socket
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement

from nexus.cli.finding import Finding, broken, good
from nexus.config import PROJECT_ROOT, Settings

_OLDEST_PYTHON = (3, 11)
_OLDEST_NODE = (20, 19)


def python(settings: Settings) -> list[Finding]:  # noqa: ARG001
    """The Python that runs this."""
    if sys.version_info < _OLDEST_PYTHON:
        return broken("Python", platform.python_version(), "install Python 3.11 or newer")
    return good("Python", platform.python_version())


def node(settings: Settings) -> list[Finding]:  # noqa: ARG001
    """The Node on the PATH."""
    fix = "install Node 20.19 or newer and put it on the PATH"
    try:
        version = _output(["node", "--version"]).lstrip("v")
        parts = tuple(int(part) for part in version.split(".")[:2])
    except (OSError, subprocess.SubprocessError, ValueError):
        return broken("Node", "not found on the PATH", fix)
    return good("Node", version) if parts >= _OLDEST_NODE else broken("Node", version, fix)


def packages(
    settings: Settings,  # noqa: ARG001
    *,
    lock: Path = PROJECT_ROOT / "requirements.txt",
) -> list[Finding]:
    """Every package of the lock file, in the version it names."""
    wanted = [Requirement(line) for line in _locked(lock)]
    wanted = [item for item in wanted if item.marker is None or item.marker.evaluate()]
    wrong = [item.name for item in wanted if not _is_installed(item)]
    if wrong:
        text = f"missing or in the wrong version: {', '.join(wrong)}"
        return broken("Python packages", text, "run: scripts/setup")
    return good("Python packages", f"{len(wanted)} as locked")


def web_app(
    settings: Settings,  # noqa: ARG001
    *,
    page: Path = PROJECT_ROOT / "apps/web/dist/index.html",
) -> list[Finding]:
    """The built web app."""
    if not page.is_file():
        return broken("Web app", "not built", "run: make up, which builds it")
    return good("Web app", "built")


def browser(settings: Settings) -> list[Finding]:
    """The browser that the extractor would use, as it finds it itself, or a remote one."""
    if settings.extractor_address:
        return _remote_browser(settings.extractor_address)
    if settings.chromium and not os.access(settings.chromium, os.X_OK):
        text = f"NEXUS_CHROMIUM={settings.chromium} is not a program"
        return broken("Browser", text, "correct NEXUS_CHROMIUM, or unset it")
    try:
        path = _output(["node", str(PROJECT_ROOT / "node/ingest/chromium-path.mjs")])
    except (OSError, subprocess.SubprocessError):
        return broken("Browser", "none found", "run: scripts/setup-node node/ingest")
    return good("Browser", path)


def _remote_browser(address: tuple[str, int]) -> list[Finding]:
    place = f"{address[0]}:{address[1]}"
    try:
        socket.create_connection(address, timeout=5).close()
    except OSError:
        fix = "start that container, or unset NEXUS_EXTRACTOR"
        return broken("Browser", f"nothing responds at {place}", fix)
    return good("Browser", f"reachable at {place}")


def _output(command: list[str]) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=True, cwd=PROJECT_ROOT
    )
    return done.stdout.strip()


def _locked(lock: Path) -> list[str]:
    """The requirements of a lock file without their hashes."""
    lines = re.findall(r"^[A-Za-z0-9].*$", lock.read_text(), flags=re.MULTILINE)
    return [line.rstrip(" \\") for line in lines]


def _is_installed(requirement: Requirement) -> bool:
    try:
        version = importlib.metadata.version(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return requirement.specifier.contains(version, prereleases=True)

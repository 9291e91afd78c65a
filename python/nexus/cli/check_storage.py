"""Checks of the data directory and what is kept in it."""

import os
import shutil
import stat
from pathlib import Path

from nexus.cli.finding import Finding, broken, good, stopped
from nexus.config import Settings

_LEAST_FREE_BYTES = 1024**3


def data_directory(settings: Settings) -> list[Finding]:
    """Whether the data directory can be written, and how much room there is."""
    path = settings.data_dir
    nearest = next(folder for folder in (path, *path.parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        return broken(
            "Data directory",
            f"{path} cannot be written",
            f"make {nearest} writable for this account, or set NEXUS_DATA_DIR",
        )
    return [*_writable(path), *_free_space(nearest)]


def _writable(path: Path) -> list[Finding]:
    if not path.exists():
        return stopped("Data directory", f"{path} is created at the first start")
    return good("Data directory", str(path))


def _free_space(folder: Path) -> list[Finding]:
    free = shutil.disk_usage(folder).free
    text = f"{free / 1024**3:.1f} GiB free"
    if free < _LEAST_FREE_BYTES:
        return broken("Disk", text, "free some space, or set NEXUS_DATA_DIR to a larger disk")
    return good("Disk", text)


def secrets_file(settings: Settings) -> list[Finding]:
    """Whether the generated secrets are private to this account."""
    if settings.jwt_secret and settings.internal_secret and settings.storage_secret:
        return good("Secrets", "from the environment")
    path = settings.data_dir / "secrets.json"
    if not path.exists():
        return stopped("Secrets", "generated at the first start")
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        return broken("Secrets", f"{path} is readable by other accounts", f"run: chmod 600 {path}")
    if not os.access(path, os.R_OK):
        return broken("Secrets", f"{path} cannot be read", "run as the account that owns it")
    return good("Secrets", f"{path}, readable only by this account")

"""Secrets of an installation: generated on first start, kept in the data directory, mode 0600."""

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from pydantic import SecretStr

from nexus.atomic_file import remove_leftovers, replacement_file
from nexus.config import Settings, SettingsError

_NAMES = ("jwt_secret", "internal_secret", "storage_secret")


def ensure_secrets(settings: Settings) -> Settings:
    """Settings with every secret filled in: the environment's, else the data directory's."""
    missing = [name for name in _NAMES if getattr(settings, name) is None]
    if not missing:
        return settings
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(settings.data_dir):
        stored = _read_or_create(settings.data_dir / "secrets.json")
    return settings.model_copy(update={name: SecretStr(stored[name]) for name in missing})


@contextlib.contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Two first starts at once must end up with the same secrets."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _read_or_create(path: Path) -> dict[str, str]:
    stored = _read(path)
    if all(stored.get(name) for name in _NAMES):
        return stored
    stored = {name: stored.get(name) or secrets.token_urlsafe(48) for name in _NAMES}
    remove_leftovers(path)
    with replacement_file(path) as file:
        file.write(json.dumps(stored, indent=2).encode())
    return stored


def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    try:
        stored = json.loads(path.read_text())
    except ValueError:
        stored = None
    if not isinstance(stored, dict):
        raise SettingsError(f"{path} is damaged: delete it, the next start makes new secrets.")
    return stored

"""Secrets of an installation: generated on first start, kept in the data directory, mode 0600."""

import json
import os
import secrets
from pathlib import Path

from pydantic import SecretStr

from nexus.config import Settings

_NAMES = ("jwt_secret", "internal_secret", "storage_secret")


def ensure_secrets(settings: Settings) -> Settings:
    """Settings with every secret filled in: the environment's, else the data directory's."""
    missing = [name for name in _NAMES if getattr(settings, name) is None]
    if not missing:
        return settings
    stored = _read_or_create(settings.data_dir / "secrets.json")
    return settings.model_copy(update={name: SecretStr(stored[name]) for name in missing})


def _read_or_create(path: Path) -> dict[str, str]:
    stored: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    if all(name in stored for name in _NAMES):
        return stored
    stored = {name: stored.get(name) or secrets.token_urlsafe(48) for name in _NAMES}
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    # O_EXCL and the mode in one call: the file is never readable by others, not even for a moment.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(stored, file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    return stored

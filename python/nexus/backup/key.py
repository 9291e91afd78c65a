"""The key of an installation, by which it recognises the archives it made itself.

It is never in an archive: finding one must not let anybody write another.
"""

import secrets
from contextlib import suppress
from pathlib import Path

from nexus.atomic_file import new_file
from nexus.backup.errors import BackupError

_BYTES = 32


def key_path(data_dir: Path) -> Path:
    """Where the key is; an operator may put a kept copy there before restoring."""
    return data_dir / "backup.key"


def read_key(data_dir: Path) -> bytes | None:
    """The key, None where no backup was made yet."""
    path = key_path(data_dir)
    try:
        key = bytes.fromhex(path.read_text("ascii"))
    except FileNotFoundError:
        return None
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise BackupError(f"{path} is damaged: put back a copy, or delete it to get a new key.")
    return key


def ensure_key(data_dir: Path) -> bytes:
    """The key, made on first use."""
    data_dir.mkdir(parents=True, exist_ok=True)
    # Two first backups at once end up with the same key: a file is never replaced.
    with suppress(FileExistsError), new_file(key_path(data_dir)) as file:
        file.write(secrets.token_hex(_BYTES).encode())
    key = read_key(data_dir)
    assert key is not None
    return key

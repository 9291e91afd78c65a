"""Folders of the embedded servers: private ones, and ones short enough for a UNIX socket."""

import hashlib
import os
import stat
from pathlib import Path

from nexus.embedded.server import EmbeddedError

# sun_path holds 107 bytes on Linux and 103 on macOS; the longest name put into such a folder,
# supervisord's socket with its temporary suffix, takes 30.
_LONGEST_FOLDER = 70


def private_folder(path: Path, *, owner: int | None = None) -> Path:
    """Make `path` a folder of mode 0700 which belongs to `owner` (default: the current account)."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    if owner is not None and path.stat().st_uid != owner:
        os.chown(path, owner, -1)
    if stat.S_IMODE(path.stat().st_mode) != 0o700:
        path.chmod(0o700)
    return path


def socket_folder(preferred: Path) -> Path:
    """`preferred`, or a short stand-in that depends on nothing but it. Does not create it.

    The stand-in is in /tmp and not in $TMPDIR: every process must arrive at the same path.
    """
    if len(os.fsencode(preferred)) <= _LONGEST_FOLDER:
        return preferred
    digest = hashlib.sha256(os.fsencode(preferred)).hexdigest()[:16]
    return Path(f"/tmp/nexus-{os.geteuid()}-{digest}")  # noqa: S108


def private_socket_folder(preferred: Path, *, owner: int | None = None) -> Path:
    """Create `socket_folder(preferred)`, refusing one that somebody else put there."""
    folder = socket_folder(preferred)
    allowed = {os.geteuid(), owner if owner is not None else os.geteuid()}
    if folder.is_symlink() or (folder.exists() and folder.stat().st_uid not in allowed):
        raise EmbeddedError(f"{folder} belongs to somebody else; remove it and start again")
    return private_folder(folder, owner=owner)

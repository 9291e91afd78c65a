"""Postgres refuses to run as root: the account it gets then, and the access that account needs."""

import os
import pwd
import stat
from pathlib import Path

from nexus.embedded.server import EmbeddedError


def server_account(data: Path) -> pwd.struct_passwd | None:
    """The account for a cluster in `data`, or None when the current one will do (not root)."""
    if os.geteuid() != 0:
        return None
    if data.exists() and (owner := data.stat().st_uid) != 0:
        # An existing cluster stays with its owner, whatever accounts were added since.
        try:
            return pwd.getpwuid(owner)
        except KeyError:
            raise EmbeddedError(f"{data} belongs to account {owner}, which is gone") from None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise EmbeddedError("Postgres does not run as root and there is no other account for it")


def allow_access(account: pwd.struct_passwd, *, folders: list[Path], programs: Path) -> list[Path]:
    """Let `account` pass through the parents of `folders` and run `programs`; return what changed.

    Parents get the traverse bit alone, so nobody can list or read what is in them.
    """
    parents = {parent for path in [*folders, programs] for parent in _parents(path)}
    changed = [path for path in sorted(parents) if _grant(path, account, stat.S_IXOTH)]
    # Installed under a strict umask, the programs themselves are closed as well. One file, opened
    # last, stands for all: looking at every one would slow down each start.
    last = programs / "bin" / "postgres"
    if _missing(last, account, stat.S_IROTH):
        closed = sorted([programs, *programs.rglob("*")], key=lambda path: path == last)
        changed += [path for path in closed if _open(path, account)]
    return changed


def describe(changed: list[Path], account: pwd.struct_passwd, programs: Path) -> str:
    """One line that names what `allow_access` changed."""
    inside = [path for path in changed if path.is_relative_to(programs)]
    names = [str(path) for path in changed if path not in inside]
    if inside:
        names.append(f"{programs} (readable)")
    return f"Running as root: let account {account.pw_name} pass through {', '.join(names)}"


def _parents(path: Path) -> set[Path]:
    return {*path.absolute().parents, *path.resolve().parents}


def _open(path: Path, account: pwd.struct_passwd) -> bool:
    if path.is_symlink():
        return False
    runs = path.is_dir() or bool(path.stat().st_mode & stat.S_IXUSR)
    return _grant(path, account, stat.S_IROTH | (stat.S_IXOTH if runs else 0))


def _grant(path: Path, account: pwd.struct_passwd, bits: int) -> bool:
    missing = _missing(path, account, bits)
    if missing:
        path.chmod(stat.S_IMODE(path.stat().st_mode) | missing)
    return bool(missing)


def _missing(path: Path, account: pwd.struct_passwd, bits: int) -> int:
    """Which of `bits`, written for others, the class of people `account` is in lacks here."""
    status = path.stat()
    if status.st_uid == account.pw_uid:
        return 0
    if status.st_gid in os.getgrouplist(account.pw_name, account.pw_gid):
        bits <<= 3
    return bits & ~status.st_mode

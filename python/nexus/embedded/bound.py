"""Runs a command that must not outlive its parent: `python bound.py [options] -- COMMAND…`.

The kernel sends the command a signal when its parent dies, even by SIGKILL. Standard library only
and run by path, so that it starts fast and needs nothing installed.
"""

import argparse
import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def bound_command(
    command: Sequence[str],
    *,
    stop_signal: signal.Signals = signal.SIGTERM,
    user: str | None = None,
    parent: int | None = None,
) -> list[str]:
    """The argv that runs `command` bound to its parent, as `user` when one is given."""
    options = ["--signal", stop_signal.name]
    options += ["--user", user] if user else []
    options += ["--parent", str(parent)] if parent else []
    script = str(Path(__file__).resolve())
    return [sys.executable, "-I", "-S", script, *options, "--", *command]


def main() -> None:
    """Switch to the requested account, bind to the parent, become the command."""
    arguments = _parse()
    parent = arguments.parent or os.getppid()
    if arguments.user:
        _become(arguments.user)
    # After the change of account: the kernel forgets the setting when credentials change.
    die_with_parent(signal.Signals[arguments.signal])
    if os.getppid() != parent:
        sys.exit("the parent has ended")
    try:
        os.execvp(arguments.command[0], arguments.command)  # noqa: S606
    except OSError as error:
        sys.exit(f"cannot run {arguments.command[0]}: {error.strerror}")


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--signal", default="SIGTERM")
    parser.add_argument("--user")
    parser.add_argument("--parent", type=int)
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def _become(name: str) -> None:
    import pwd

    account = pwd.getpwnam(name)
    os.initgroups(name, account.pw_gid)
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    # The folder Nexus was started in may be closed to this account.
    os.chdir("/")


def die_with_parent(stop_signal: signal.Signals) -> None:
    """Have the kernel send us this signal when the thread that started us ends."""
    if not sys.platform.startswith("linux"):
        return
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(stop_signal), 0, 0, 0)
    except (OSError, AttributeError):
        return


if __name__ == "__main__":
    main()

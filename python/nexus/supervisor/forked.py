"""Programs that run in a fork of supervisord instead of an interpreter of their own.

supervisord imports once what they have in common; each of them shares those pages until it writes
to them, and starts without importing anything again. To the rest of the system such a program is a
child of supervisord like any other.
"""

import atexit
import contextlib
import gc
import os
import runpy
import signal
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from nexus.embedded.bound import die_with_parent
from nexus.memory import give_back
from nexus.supervisor.process_title import set_process_title

_MODULE = [sys.executable, "-m"]


class PreloadInterface:
    """What supervisord offers on its socket besides its own calls."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = modules

    def preload(self) -> str:
        """Import what the programs will need; what is wrong with it, or nothing."""
        # What imports create stays: looking for garbage among it takes an eighth of the time.
        gc.disable()
        try:
            for name in self._modules:
                import_module(name)
        except Exception as error:
            traceback.print_exc()
            return f"{type(error).__name__}: {error}"
        finally:
            gc.enable()
        if threading.active_count() > 1:
            return "a thread was started while modules were imported"
        give_back()
        # A collection in a program would otherwise write to every object it was born with.
        gc.freeze()
        return ""


def make_interface(_supervisord: object, modules: str = "") -> PreloadInterface:
    """Called by supervisord, with the options of its configuration."""
    return PreloadInterface(modules.split())


def is_forked(argv: Sequence[str]) -> bool:
    """Whether a command is run in a fork: `python -m MODULE …` with our interpreter."""
    return list(argv[:2]) == _MODULE


def become(argv: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Be the command in this fork, as `exec` would make us, but for what is imported already."""
    parent = os.getppid()
    for number in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    die_with_parent(signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)
    set_process_title(argv)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = str(Path.cwd())
    module, arguments = argv[2], argv[3:]
    sys.argv = [module, *arguments]
    _exit(_run(module))


def _run(module: str) -> Any:
    """What `sys.exit` was called with."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as stop:
        return stop.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _exit(code: Any) -> NoReturn:
    """End as an interpreter does, but never return into supervisord below us on the stack."""
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    with contextlib.suppress(BaseException):
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code or 0)

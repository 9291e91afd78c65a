"""The configuration file of supervisord. It holds no secret: those travel in the environment."""

import configparser
import os
import shlex
from pathlib import Path

from nexus.supervisor.layout import Layout
from nexus.supervisor.program import Program

# A part that ends sooner than this was never up: supervisord waits 1 s, 2 s, 3 s, … before
# it tries again, and gives up after so many attempts.
_START_SECONDS = 10
_START_RETRIES = 10


def write_conf(layout: Layout, programs: list[Program], folder: Path) -> Path:
    """Write supervisord.conf for the programs, which run in `folder`."""
    conf = configparser.RawConfigParser()
    conf["supervisord"] = {
        "nodaemon": "true",
        "logfile": _value(layout.log_of("supervisord")),
        "logfile_maxbytes": "1MB",
        "logfile_backups": "1",
        "pidfile": _value(layout.supervisor_pid),
    }
    if os.geteuid() == 0:
        conf["supervisord"]["user"] = "root"
    conf["unix_http_server"] = {"file": _value(layout.supervisor_socket), "chmod": "0700"}
    conf["rpcinterface:supervisor"] = {
        "supervisor.rpcinterface_factory": "supervisor.rpcinterface:make_main_rpcinterface"
    }
    # Each once, in the order of the programs.
    preloaded = dict.fromkeys(name for program in programs for name in program.preload)
    conf["rpcinterface:nexus"] = {
        "supervisor.rpcinterface_factory": "nexus.supervisor.forked:make_interface",
        "modules": " ".join(preloaded),
    }
    for position, program in enumerate(programs):
        conf[f"program:{program.name}"] = _section(layout, program, position, folder)
    path = layout.run / "supervisord.conf"
    with path.open("w") as file:
        conf.write(file)
    return path


def _section(layout: Layout, program: Program, position: int, folder: Path) -> dict[str, str]:
    return {
        "command": _value(shlex.join(program.bound())),
        "directory": _value(folder),
        # supervisord stops the highest priority first, and waits for it before the next.
        "priority": str(position + 1),
        "autostart": "false",
        "autorestart": "true",
        "startsecs": str(_START_SECONDS),
        "startretries": str(_START_RETRIES),
        "stopsignal": program.stop_signal.name.removeprefix("SIG"),
        "stopwaitsecs": str(program.stop_seconds),
        "killasgroup": "true",
        "umask": "077",
        "redirect_stderr": "true",
        # supervisord expands this one value twice.
        "stdout_logfile": _value(_value(layout.log_of(program.name))),
        "stdout_logfile_maxbytes": "10MB",
        "stdout_logfile_backups": "3",
    }


def _value(value: str | Path) -> str:
    return str(value).replace("%", "%%")

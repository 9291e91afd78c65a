"""Programs that run in a fork of supervisord."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from nexus.config import PROJECT_ROOT
from tests.patience import PATIENCE_SECONDS
from tests.supervisor.conftest import Installation, assert_gone

BECOME = """
import os, signal, sys
from nexus.supervisor.forked import become
signal.signal(signal.SIGTERM, lambda *_: None)
os.environ["OURS"] = "not yours"
child = os.fork()
if child == 0:
    become([sys.executable, "-m", "nexus_standin", *sys.argv[1:]], {"PATH": "/bin", "YOURS": "1"})
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def become(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "nexus_standin.py").write_text(program)
    return subprocess.run(
        [sys.executable, "-c", BECOME, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(PROJECT_ROOT / "python")},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_it_finds_what_exec_would_have_left(tmp_path: Path) -> None:
    program = """
import json, os, signal, sys
json.dump({"name": __name__, "arguments": sys.argv[1:], "environment": dict(os.environ),
           "ignores": signal.getsignal(signal.SIGTERM) != signal.SIG_DFL}, sys.stdout)
"""
    done = become(tmp_path, program, "a b", "c")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "name": "__main__",
        "arguments": ["a b", "c"],
        "environment": {"PATH": "/bin", "YOURS": "1"},
        "ignores": False,
    }


def test_it_ends_as_an_interpreter_does(tmp_path: Path) -> None:
    said = become(tmp_path, "import atexit, sys; atexit.register(print, 'bye'); sys.exit('wrong')")
    assert (said.returncode, said.stdout, said.stderr) == (1, "bye\n", "wrong\n")
    coded = become(tmp_path, "import sys; sys.exit(7)")
    assert (coded.returncode, coded.stderr) == (7, "")
    raised = become(tmp_path, "raise RuntimeError('no such luck')")
    assert raised.returncode == 1
    assert raised.stderr.endswith("RuntimeError: no such luck\n")


def test_a_fork_is_a_program_like_any_other(installation: Installation) -> None:
    nexus = installation.start("api=forked", "bff=ok")
    nexus.wait_ready()
    process = psutil.Process(nexus.pids("api")[0])
    assert process.ppid() == nexus.supervisord().pid
    assert os.getpgid(process.pid) == process.pid
    assert "tests.supervisor.standin" in " ".join(process.cmdline())
    held = {Path(f"/proc/{process.pid}/fd") / name for name in ("0", "1", "2")}
    assert set(Path(f"/proc/{process.pid}/fd").iterdir()) == held
    process.send_signal(signal.SIGKILL)
    nexus.wait_for(r"^api ended unexpectedly \(terminated by SIGKILL\)")
    again = psutil.Process(nexus.wait_for_start("api", 2))
    nexus.supervisord().kill()
    assert nexus.wait() == 1
    assert_gone([again])
    assert installation.strays() == []


def test_what_cannot_be_loaded_is_one_line(installation: Installation) -> None:
    nexus = installation.start("api=unloadable", "bff=ok")
    assert nexus.wait() == 1
    line = "Nexus cannot start: the applications cannot be loaded: ModuleNotFoundError: No module"
    assert any(each.startswith(line) for each in nexus.lines)
    assert installation.strays() == []

"""The scripts around `make`: what they say on machines that are not this one."""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from nexus.config import PROJECT_ROOT
from tests.patience import PATIENCE_SECONDS

# What the scripts themselves are made of, and no more: nothing else of this machine is seen.
TOOLS = (
    *("awk", "bash", "cat", "cut", "df", "dirname", "make", "mkdir", "rm", "sha256sum", "timeout"),
    "touch",
)
GOOD = {
    "uname": "case $1 in -s) echo Linux;; -m) echo x86_64;; esac",
    "python3": "echo 3 12 CPython venv glibc 2.36",
    "node": "echo v20.19.0",
    "npm": ":",
    "df": "echo Filesystem; echo disk 9000000 0 9000000 0 /",
}
ARM = "case $1 in -s) echo Linux;; -m) echo aarch64;; esac"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command of a fresh clone, where only the given programs exist beside the tools."""
    clone, programs = tmp_path / "clone", tmp_path / "bin"
    shutil.copytree(PROJECT_ROOT / "scripts", clone / "scripts")
    shutil.copytree(PROJECT_ROOT / ".ci", clone / ".ci")
    shutil.copy(PROJECT_ROOT / "Makefile", clone)
    programs.mkdir()

    def run_here(
        *command: str, have: Mapping[str, str | None], **environment: str
    ) -> subprocess.CompletedProcess[str]:
        for tool in TOOLS:
            (programs / tool).symlink_to(str(shutil.which(tool)))
        for name, script in have.items():
            (programs / name).unlink(missing_ok=True)
            if script is not None:
                (programs / name).write_text(f"#!{shutil.which('bash')}\n{script}\n")
                (programs / name).chmod(0o755)
        return subprocess.run(
            command,
            cwd=clone,
            env={"PATH": str(programs), "HOME": str(tmp_path)} | environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    return run_here


@pytest.mark.parametrize(
    "have",
    [
        {},
        {"python3": "echo 3 11 CPython venv glibc 2.28"},
        {"python3": "echo 3 13 CPython venv glibc 2.41", "cc": ":"},
        {"node": "echo v22.12.0"},
        {"node": "echo v24.0.1"},
        {"uname": ARM, "cc": ":", "chromium": ":"},
    ],
)
def test_a_system_that_will_do(run: Run, have: dict[str, str]) -> None:
    done = run("scripts/check-system", have=GOOD | have)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("have", "said"),
    [
        ({"uname": "echo Darwin"}, "this is Darwin"),
        ({"uname": "echo MINGW64_NT-10.0"}, "WSL 2"),
        ({"uname": "case $1 in -s) echo Linux;; -m) echo armv7l;; esac"}, "this is armv7l"),
        ({"uname": ARM}, "C compiler"),
        ({"uname": ARM, "cc": ":"}, "NEXUS_CHROMIUM"),
        ({"python3": None}, "there is no 'python3'"),
        ({"python3": "exit 1"}, "'python3' does not work"),
        ({"python3": "echo 2 7 CPython no-venv glibc 2.36"}, "'python3' is 2.7"),
        ({"python3": "echo 3 10 CPython venv glibc 2.36"}, "'python3' is 3.10"),
        ({"python3": "echo 3 15 CPython venv glibc 2.36"}, "Python 3.15 yet"),
        ({"python3": "echo 3 12 PyPy venv glibc 2.36"}, "is PyPy"),
        ({"python3": "echo 3 13 CPython venv glibc 2.41"}, "set PYTHON to 3.11 or 3.12"),
        ({"python3": "echo 3 12 CPython no-venv glibc 2.36"}, "apt install python3.12-venv"),
        ({"python3": "echo 3 12 CPython venv other 0.0"}, "glibc"),
        ({"python3": "echo 3 12 CPython venv glibc 2.17"}, "2.28 or newer, and this is 2.17"),
        ({"node": None}, "there is no Node"),
        ({"node": "exit 1"}, "'unknown'"),
        ({"node": "echo hello"}, "'hello'"),
        ({"node": "echo v18.20.4"}, "this is 18.20.4"),
        ({"node": "echo v20.18.3"}, "20.19 or newer"),
        ({"node": "echo v21.7.3"}, "this is 21.7.3"),
        ({"node": "echo v22.11.0"}, "22.12"),
        ({"npm": None}, "no npm"),
        ({"df": "echo Filesystem; echo disk 9000000 0 700000 0 /"}, "700 MB left"),
    ],
)
def test_a_system_that_will_not_do_is_one_line(
    run: Run, have: dict[str, str | None], said: str
) -> None:
    done = run("scripts/check-system", have=GOOD | have)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("Nexus cannot be set up: ")
    assert said in line


def test_who_insists_is_let_through(run: Run) -> None:
    done = run("scripts/check-system", have=GOOD | {"uname": "echo Darwin"}, ANY_SYSTEM="1")
    assert done.returncode == 0


def test_this_machine_will_do() -> None:
    done = subprocess.run(
        [PROJECT_ROOT / "scripts/check-system"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_make_up_says_it_before_it_does_anything(run: Run, tmp_path: Path) -> None:
    before = set((tmp_path / "clone").iterdir())
    done = run("make", "up", have=GOOD | {"uname": "echo Darwin"})
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Nexus cannot be set up: it runs on Linux, and this is Darwin")
    assert set((tmp_path / "clone").iterdir()) == before


NO_ENGINE = (
    '[ "$1" != version ] || { echo "Cannot connect" >&2; exit 1; }; echo "asked: $*"; exit 9'
)
ENGINE = '[ "$1" != version ] || exit 0; echo "docker $*"'


@pytest.mark.parametrize(
    ("docker", "said"),
    [(None, "docker is not installed here"), (NO_ENGINE, "no Docker engine is running here")],
)
def test_without_an_engine_no_image_is_built_and_that_is_said(
    run: Run, docker: str | None, said: str
) -> None:
    done = run("scripts/build-images", have={"docker": docker})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"Container images: NOT built, {said}."]


def test_with_an_engine_every_image_is_built(run: Run) -> None:
    done = run("scripts/build-images", have={"docker": ENGINE})
    assert done.returncode == 0, done.stderr
    *builds, last = done.stdout.splitlines()
    assert last == "Container images: built."
    assert sorted(builds) == sorted(
        f"docker build --file {dockerfile} --target {target} --tag {image}:ci ."
        for dockerfile, target, image in images()
    )


def test_an_image_that_cannot_be_built_is_a_failure(run: Run) -> None:
    done = run("scripts/build-images", have={"docker": f"{ENGINE}; exit 1"})
    assert done.returncode != 0
    assert "built." not in done.stdout


@pytest.mark.parametrize("status", [0, 1])
def test_ci_runs_the_gate_and_nothing_else(run: Run, status: int) -> None:
    done = run(".ci/run", have={"make": f"echo make $*; exit {status}"})
    assert (done.returncode, done.stdout, done.stderr) == (status, "make test\n", "")


def images() -> set[tuple[str, str, str]]:
    """Every image the compose files build: its file, its stage and its name."""
    found = set()
    for path in (PROJECT_ROOT / "docker").glob("docker-compose*.yml"):
        for service in yaml.safe_load(path.read_text())["services"].values():
            if build := service.get("build"):
                target = build.get("target") or service["image"].removeprefix("nexus-")
                found.add((build["dockerfile"], target, service["image"]))
    return found

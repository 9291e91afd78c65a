"""The container files say what they must, of things that exist. No engine is needed to see that."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from nexus.config import PROJECT_ROOT, Settings, load_settings
from nexus.queues import QUEUES
from tests.patience import PATIENCE_SECONDS

DOCKER = PROJECT_ROOT / "docker"
COMPOSE = sorted(DOCKER.glob("docker-compose*.yml"))
DOCKERFILES = sorted(DOCKER.glob("Dockerfile.*"))
DOCUMENTS = [PROJECT_ROOT / "README.md", *sorted((PROJECT_ROOT / "docs").glob("*.md"))]
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
GIVEN = {
    "POSTGRES_PASSWORD": "abc123",
    "NEXUS_PUBLIC_URL": "https://nexus.example.org",
    "NEXUS_JWT_SECRET": "a" * 64,
    "NEXUS_INTERNAL_SECRET": "b" * 64,
    "NEXUS_STORAGE_SECRET": "c" * 64,
}


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = whole()["services"]
    return found


def whole() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DOCKER / "docker-compose.yml").read_text())
    return found


def filled_in(text: str) -> str:
    """Variables replaced as compose does it."""

    def value(match: re.Match[str]) -> str:
        name, kind, rest = match.groups()
        return GIVEN.get(name) or (rest if kind == "-" else "")

    return VARIABLE.sub(value, text)


def instructions(path: Path) -> list[list[str]]:
    text = path.read_text().replace("\\\n", " ")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_compose_files_follow_the_schema(path: Path) -> None:
    check = [str(Path(sys.executable).with_name("check-jsonschema"))]
    check += ["--builtin-schema", "vendor.compose-spec", str(path)]
    done = subprocess.run(
        check, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "path",
    [*COMPOSE, *DOCKERFILES, *DOCUMENTS],
    ids=lambda path: str(path.relative_to(PROJECT_ROOT)),
)
def test_every_setting_named_is_one(path: Path) -> None:
    known = {f"NEXUS_{name.upper()}" for name in Settings.model_fields}
    named = set(re.findall(r"NEXUS_[A-Z_]*[A-Z]", path.read_text()))
    assert named <= known


def test_every_setting_is_in_the_readme() -> None:
    readme = (PROJECT_ROOT / "README.md").read_text()
    names = {name.upper() for name in Settings.model_fields} - {"CELERY_ALWAYS_EAGER"}
    assert {name for name in names if f"NEXUS_{name}" not in readme} == set()


@pytest.mark.parametrize("name", ["api", "bff", "worker", "migrate"])
def test_the_settings_of_a_service_are_valid(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [variable for variable in os.environ if variable.startswith("NEXUS_")]:
        monkeypatch.delenv(variable)
    for variable, value in services()[name]["environment"].items():
        monkeypatch.setenv(variable, filled_in(value))
    settings = load_settings()
    assert settings.secure_cookies
    assert settings.database_url == "postgresql+psycopg://nexus:abc123@postgres:5432/nexus"


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.name)
def test_what_is_copied_exists_and_nothing_runs_as_root(path: Path) -> None:
    steps = instructions(path)
    for step in steps:
        if step[0] == "COPY" and not step[1].startswith("--from"):
            for source in step[1:-1]:
                assert (PROJECT_ROOT / source).exists(), source
    assert ["USER", "nexus"] in steps


def test_the_image_of_the_api_has_neither_node_nor_browser() -> None:
    steps = instructions(DOCKER / "Dockerfile.api")
    stages = [index for index, step in enumerate(steps) if step[0] == "FROM"]
    names = [steps[index][-1] for index in stages]
    assert names == ["web", "api", "bff"]
    api = steps[stages[1] : stages[2]]
    assert not [step for step in api if "--from=web" in step]
    assert not re.search("node|npm|chrom", " ".join(" ".join(step) for step in api))
    assert [step for step in steps[stages[2] :] if step[0] == "COPY"] == [
        ["COPY", "--from=web", "/build/apps/web/dist", "apps/web/dist"]
    ]


def test_the_worker_serves_every_queue() -> None:
    command = instructions(DOCKER / "Dockerfile.worker")[-1]
    served = command[command.index("-Q,") + 1].rstrip(",").split(",")
    assert sorted(served) == sorted(QUEUES)


@pytest.mark.parametrize("name", services())
def test_every_service_is_hardened_and_watched(name: str) -> None:
    service = services()[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["user"] not in {"root", "0"}
    assert ("healthcheck" in service) == (name != "migrate")
    assert service["networks"]


def test_who_can_reach_whom() -> None:
    networks = whole()["networks"]
    apart = {"com.docker.network.bridge.inhibit_ipv4": "true"}  # not even the host is reached
    inside = {name for name, network in networks.items() if network.get("internal")}
    assert inside == {"back", "pages"}
    assert [networks[name]["driver_opts"] for name in inside] == [apart, apart]
    on = {
        network: {name for name, service in services().items() if network in service["networks"]}
        for network in networks
    }
    assert on["back"] == set(services()) - {"browser", "egress-gateway"}
    assert on["pages"] == {"browser", "egress-gateway", "worker"}
    assert on["pictures"] == {"api", "worker"}
    assert (on["front"], on["web"]) == ({"bff"}, {"egress-gateway"})
    published = {
        name: service["ports"] for name, service in services().items() if "ports" in service
    }
    assert list(published) == ["bff"]
    assert published["bff"][0].startswith("127.0.0.1:")


@pytest.mark.parametrize("name", ["browser", "egress-gateway"])
def test_where_pages_run_is_no_secret_and_no_data(name: str) -> None:
    service = services()[name]
    settings = {"NEXUS_ENV", "NEXUS_ALLOW_PRIVATE_HOSTS", "NEXUS_BROWSER_MEMORY_BYTES", "HOME"}
    assert set(service["environment"]) == settings
    assert "volumes" not in service
    assert (PROJECT_ROOT / service["command"][1]).is_file()


def test_the_parts_find_each_other() -> None:
    browser, gateway = services()["browser"], services()["egress-gateway"]
    assert services()["worker"]["environment"]["NEXUS_EXTRACTOR"] == "browser:8430"
    assert browser["command"][2:] == [
        *("--listen", "0.0.0.0:8430"),
        *("--egress-gateway", "http://egress-gateway:8431"),
    ]
    assert gateway["command"][2:] == ["--listen", "0.0.0.0:8431"]


def test_the_browser_may_make_namespaces_and_little_else() -> None:
    (profile,) = [option for option in services()["browser"]["security_opt"] if "seccomp" in option]
    rules = json.loads((DOCKER / profile.removeprefix("seccomp:")).read_text())
    assert {rule["action"] for rule in rules["syscalls"]} == {"SCMP_ACT_ERRNO"}
    always = {name for rule in rules["syscalls"] if "args" not in rule for name in rule["names"]}
    assert always & {"clone", "unshare", "chroot", "socket"} == set()
    new_user_namespace = 0x10000000
    for rule in rules["syscalls"]:
        for condition in rule.get("args", []):
            assert not condition["value"] & new_user_namespace
    assert {"mount", "setns", "ptrace", "bpf", "init_module", "keyctl"} <= always


def test_each_image_is_built_once() -> None:
    builders = [service["image"] for service in services().values() if "build" in service]
    assert sorted(builders) == ["nexus-api", "nexus-bff", "nexus-browser"]
    for service in services().values():
        if service["image"] in builders and "build" not in service:
            assert service["pull_policy"] == "never"

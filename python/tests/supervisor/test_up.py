"""`nexus up` for real: embedded Postgres and Redis, supervisord, stand-ins for applications."""

import re
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from nexus.embedded.processes import wait_gone
from nexus.embedded.redis import EmbeddedRedis
from nexus.embedded.running import running
from tests.storage.serving import served
from tests.storage.supabase_server import SupabaseServer
from tests.supervisor.conftest import Installation, assert_gone


def starts_so_far(output: str) -> int:
    match = re.search(r"starts so far: (\d+)", output)
    assert match
    return int(match[1])


def test_start_and_stop_twice_keeping_the_data(installation: Installation) -> None:
    seen = []
    for _ in range(2):
        nexus = installation.start("api=ok", "bff=ok", "worker=parent", "extra=ok")
        nexus.wait_ready()
        assert f"Nexus is ready: http://127.0.0.1:{installation.port}" in nexus.lines
        family = nexus.family()
        grandchild = psutil.Process(nexus.pids("grandchild")[0])
        assert nexus.stop() == 0
        assert_gone([*family, grandchild])
        assert installation.strays() == []
        seen.append(starts_so_far(nexus.output))
        stopped = re.findall(r"stopped: (\w+)", nexus.log("supervisord"))
        assert stopped[-6:] == ["extra", "worker", "bff", "api", "redis", "postgres"]
    assert seen[1] == seen[0] + 1


def test_a_part_that_cannot_start_stops_everything(installation: Installation) -> None:
    nexus = installation.start("bff=ok", "worker=crashes")
    assert nexus.wait() == 1
    assert "  worker | worker cannot find its thing" in nexus.lines
    assert "Nexus cannot start: worker ended 3 times while starting" in nexus.lines
    assert "Nexus is ready" not in nexus.output
    assert "Traceback" not in nexus.output
    assert installation.strays() == []
    assert not nexus.layout.postgres.is_ready()


def test_after_kill_minus_nine_nothing_is_left_and_it_starts_again(
    installation: Installation,
) -> None:
    killed = installation.start("bff=ok", "worker=stubborn")
    killed.wait_ready()
    family = killed.family()
    killed.process.kill()
    killed.process.wait()
    # At once, while the stubborn part and the port are still held.
    nexus = installation.start("bff=ok")
    nexus.wait_ready()
    assert_gone(family)
    assert nexus.stop() == 0


def test_after_kill_minus_nine_nothing_is_left_even_without_a_next_start(
    installation: Installation,
) -> None:
    killed = installation.start("bff=ok", "worker=ok")
    killed.wait_ready()
    family = killed.family()
    killed.process.kill()
    assert_gone(family)


def test_kill_minus_nine_of_the_process_manager(installation: Installation) -> None:
    nexus = installation.start("bff=ok", "worker=parent")
    nexus.wait_ready()
    family = nexus.family()
    nexus.supervisord().kill()
    assert nexus.wait() == 1
    assert "The process manager ended unexpectedly; stopping Nexus" in nexus.lines
    assert wait_gone(family, 0) == []


def test_a_busy_port_is_one_line(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", installation.port)):
        nexus = installation.start("bff=ok")
        assert nexus.wait() == 1
    assert len(nexus.lines) == 1
    line = rf"^Nexus cannot start: port {installation.port} is in use by \S+ \(process \d+\)"
    assert re.search(line, nexus.output)
    assert nexus.pids("bff") == []


def test_a_second_signal_hurries(installation: Installation) -> None:
    nexus = installation.start("bff=ok", "worker=stubborn")
    nexus.wait_ready()
    worker = psutil.Process(nexus.pids("worker")[0])
    nexus.process.send_signal(signal.SIGINT)
    nexus.wait_for("^Stopping Nexus")
    assert worker.is_running()
    assert nexus.stop(signal.SIGINT) == 0
    assert not worker.is_running()
    # The servers were not hurried: they shut down in order.
    assert "database system is shut down" in nexus.log("postgres").splitlines()[-1]


@pytest.mark.parametrize(
    "moment", [pytest.param("Starting postgres", marks=pytest.mark.heavy), "Starting bff"]
)
def test_stopped_while_starting(installation: Installation, moment: str) -> None:
    nexus = installation.start("bff=ok")
    nexus.wait_for(moment)
    assert nexus.stop() == 0
    assert installation.strays() == []
    assert not nexus.layout.postgres.is_ready()


@pytest.mark.parametrize(
    ("name", "url", "message"),
    [
        ("NEXUS_DATABASE_URL", "postgresql+psycopg://u:hush@127.0.0.1:1/x", "cannot be updated"),
        ("NEXUS_REDIS_URL", "redis://:hush@127.0.0.1:1/0", "Redis (NEXUS_REDIS_URL) cannot be"),
    ],
)
def test_a_server_that_is_not_there(
    installation: Installation, name: str, url: str, message: str
) -> None:
    nexus = installation.start("bff=ok", **{name: url})
    assert nexus.wait() == 1
    complaints = [line for line in nexus.lines if line.startswith("Nexus cannot start: ")]
    assert len(complaints) == 1
    assert message in complaints[0]
    assert "hush" not in nexus.output
    assert "Traceback" not in nexus.output


@pytest.fixture
def store() -> Iterator[tuple[SupabaseServer, dict[str, str]]]:
    """A file store elsewhere, and the settings that lead to it."""
    server = SupabaseServer(service_key="the-key", bucket="nexus")
    with served(server.app) as origin:
        yield (
            server,
            {
                "NEXUS_STORAGE": "supabase",
                "NEXUS_SUPABASE_URL": origin,
                "NEXUS_SUPABASE_SERVICE_KEY": "the-key",
            },
        )


def test_a_file_store_that_lets_nobody_in(
    installation: Installation, store: tuple[SupabaseServer, dict[str, str]]
) -> None:
    nexus = installation.start("bff=ok", **store[1] | {"NEXUS_SUPABASE_SERVICE_KEY": "hush"})
    assert nexus.wait() == 1
    (complaint,) = [line for line in nexus.lines if line.startswith("Nexus cannot start: ")]
    assert "refuses the service key; set NEXUS_SUPABASE_SERVICE_KEY" in complaint
    assert "hush" not in nexus.output


@pytest.mark.heavy
def test_a_file_store_with_a_limit_below_ours(
    installation: Installation, store: tuple[SupabaseServer, dict[str, str]]
) -> None:
    store[0].file_size_limit = 50 << 20
    nexus = installation.start("bff=ok", **store[1])
    nexus.wait_ready()
    nexus.wait_for("limit below ours: it accepts 50 MB per file, Nexus offers 100 MB per PDF")
    assert nexus.stop() == 0


def test_a_configured_server_replaces_the_embedded_one(installation: Installation) -> None:
    with running(EmbeddedRedis(installation.data_dir / "elsewhere", durable=False)) as server:
        nexus = installation.start("bff=ok", NEXUS_REDIS_URL=server.url)
        nexus.wait_ready()
        assert psutil.Process(nexus.pids("bff")[0]).environ()["NEXUS_REDIS_URL"] == server.url
        assert not nexus.layout.redis.is_ready()
        assert nexus.stop() == 0
        assert server.is_ready()


def damage_secrets(data_dir: Path) -> None:
    (data_dir / "secrets.json").write_text("{")


def put_a_file_in_the_way(data_dir: Path) -> None:
    (data_dir / "run").write_text("")


@pytest.mark.parametrize(
    ("spoil", "named"), [(damage_secrets, "secrets.json"), (put_a_file_in_the_way, "run")]
)
def test_a_spoilt_data_directory_is_one_line(
    folder: Path, spoil: Callable[[Path], None], named: str
) -> None:
    installation = Installation(folder / f"spoilt {named}")
    installation.data_dir.mkdir()
    spoil(installation.data_dir)
    # Servers elsewhere: nothing is created that would take time.
    elsewhere = {"NEXUS_DATABASE_URL": "postgresql://nowhere", "NEXUS_REDIS_URL": "redis://nowhere"}
    nexus = installation.start("bff=ok", **elsewhere)
    assert nexus.wait() == 1
    assert len(nexus.lines) == 1
    assert nexus.output.startswith(f"Nexus cannot start: {installation.data_dir / named}")

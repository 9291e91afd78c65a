"""A Nexus that runs: its environment, parts that die, a second Nexus beside it."""

import itertools
import json
import re
import stat
from datetime import datetime, timedelta

import psutil

from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS
from tests.supervisor.conftest import Installation, Nexus


def test_secrets_travel_in_the_environment_only(nexus: Nexus) -> None:
    environment = psutil.Process(nexus.pids("bff")[0]).environ()
    secrets = json.loads((nexus.layout.data_dir / "secrets.json").read_text())
    conf = (nexus.layout.run / "supervisord.conf").read_text()
    for name, value in secrets.items():
        assert environment[f"NEXUS_{name.upper()}"] == value
        assert value not in conf + nexus.output
    assert environment["NEXUS_DATABASE_URL"] == nexus.layout.postgres.url()
    assert environment["NEXUS_REDIS_URL"] == nexus.layout.redis.url
    assert environment["NEXUS_API_URL"] == f"unix:{nexus.layout.api_socket}"


def test_what_it_keeps_is_closed_to_others(nexus: Nexus) -> None:
    for folder in (nexus.layout.logs, nexus.layout.run, nexus.layout.sockets):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_second_nexus_names_the_first(nexus: Nexus) -> None:
    installation = Installation(nexus.layout.data_dir)
    second = installation.start()
    assert second.wait() == 1
    assert len(second.lines) == 1
    named = f"already runs on {nexus.layout.data_dir} (process {nexus.process.pid})"
    assert named in second.output


def test_a_killed_part_is_reported_and_started_again(nexus: Nexus) -> None:
    psutil.Process(nexus.pids("worker")[0]).kill()
    nexus.wait_for(r"^worker ended unexpectedly \(terminated by SIGKILL\); it is started again")
    nexus.wait_for(r"worker \| worker runs")
    nexus.wait_for(re.escape(str(nexus.layout.log_of("worker"))))
    nexus.wait_for_start("worker", 2)


def test_a_killed_postgres_comes_back(nexus: Nexus) -> None:
    nexus.postmaster().kill()
    nexus.wait_for(r"^postgres ended unexpectedly \(terminated by SIGKILL\)")
    nexus.layout.postgres.wait_ready(PATIENCE_SECONDS)


def test_a_crash_loop_backs_off(nexus: Nexus) -> None:
    psutil.Process(nexus.pids("extra")[0]).kill()
    nexus.wait_for(r"^extra ended unexpectedly \(exit status 1\)")
    nexus.wait_for(r"extra \| extra cannot find its thing")
    pattern = re.compile(r"^(\S+ \S+) INFO spawned: 'extra'", re.MULTILINE)
    wait_for(lambda: len(pattern.findall(nexus.log("supervisord"))) >= 4, what="its fourth start")
    spawns = pattern.findall(nexus.log("supervisord"))
    second, third, fourth = map(datetime.fromisoformat, spawns[1:4])
    assert third - second > timedelta(seconds=0.9)
    assert fourth - third > timedelta(seconds=1.9)
    repeated = [pair for pair in itertools.pairwise(nexus.lines) if pair[0] == pair[1]]
    assert repeated == []  # each report shows only what is new

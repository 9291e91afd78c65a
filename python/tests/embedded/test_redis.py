"""Embedded Redis, for real."""

import signal
import stat
import subprocess
from pathlib import Path

import psutil
import pytest
import redis
from kombu.connection import Connection

from nexus.embedded.redis import EmbeddedRedis, broker_url
from nexus.embedded.running import running
from tests.patience import PATIENCE_SECONDS


def test_keeps_its_queue_over_a_restart(root: Path) -> None:
    with running(EmbeddedRedis(root / "redis")) as server, redis.from_url(server.url) as client:
        client.rpush("queue", "job")
        assert stat.S_IMODE(server.socket.parent.stat().st_mode) == 0o700
    with running(server), redis.from_url(server.url) as client:
        assert client.lrange("queue", 0, -1) == [b"job"]
        for name, value in [("appendonly", "yes"), ("port", "0"), ("save", "")]:
            assert client.config_get(name) == {name: value}


@pytest.mark.parametrize("folder", ["plain", "with space", "percent %41", "long " * 30])
def test_celery_and_redis_py_reach_the_same_server(root: Path, folder: str) -> None:
    with running(EmbeddedRedis(root / folder, durable=False)) as server:
        with Connection(broker_url(server.url)) as connection:  # type: ignore[no-untyped-call]
            connection.SimpleQueue("jobs").put("job")
        with redis.from_url(server.url) as client:
            assert client.llen("jobs") == 1
    if not server.socket.is_relative_to(root):
        server.socket.parent.rmdir()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://127.0.0.1:6379/2", "redis://127.0.0.1:6379/2"),
        ("rediss://queue.example:6380/0", "rediss://queue.example:6380/0"),
        ("unix:///run/redis.sock", "redis+socket:///run/redis.sock?virtual_host=0"),
        ("unix:///run/redis.sock?db=3", "redis+socket:///run/redis.sock?virtual_host=3"),
    ],
)
def test_broker_url(url: str, expected: str) -> None:
    assert broker_url(url) == expected


def start_unbound(server: EmbeddedRedis) -> psutil.Process:
    server.prepare()
    process = psutil.Popen(server.command(), stdout=subprocess.DEVNULL)
    server.wait_ready(PATIENCE_SECONDS)
    return process


def test_a_leftover_server_is_stopped(root: Path) -> None:
    server = EmbeddedRedis(root / "redis")
    leftover = start_unbound(server)
    server.stop_leftover()
    assert leftover.wait(PATIENCE_SECONDS) == 0
    assert not server.socket.exists()


def test_after_kill_minus_nine_it_starts_again_with_its_data(root: Path) -> None:
    server = EmbeddedRedis(root / "redis")
    killed = start_unbound(server)
    with redis.from_url(server.url) as client:
        client.set("kept", "yes")
    killed.kill()
    killed.wait(PATIENCE_SECONDS)
    with running(server), redis.from_url(server.url) as client:
        assert client.get("kept") == b"yes"


def test_a_pid_file_that_names_an_innocent_process(root: Path) -> None:
    server = EmbeddedRedis(root / "redis")
    server.prepare()
    with subprocess.Popen(["sleep", "3600"]) as innocent:
        try:
            (server.root / "redis.pid").write_text(str(innocent.pid))
            server.stop_leftover()
            assert innocent.poll() is None
        finally:
            innocent.send_signal(signal.SIGTERM)


def test_a_pid_file_that_names_the_server_of_another_folder(root: Path) -> None:
    server, other = EmbeddedRedis(root / "redis"), EmbeddedRedis(root / "other")
    server.prepare()
    process = start_unbound(other)
    try:
        (server.root / "redis.pid").write_text(str(process.pid))
        server.stop_leftover()
        assert process.poll() is None
    finally:
        process.kill()
        process.wait(PATIENCE_SECONDS)

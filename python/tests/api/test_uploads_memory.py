"""100 MiB through real processes: neither the API nor the BFF grows with the file."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from nexus.config import PROJECT_ROOT
from tests.api.uploads import announce, confirm, put, uploaded
from tests.live import PASSWORD, wait_for
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.heavy

MIB = 1024 * 1024
SIZE = 100 * MIB
ALLOWED = 50 * MIB
BLOCK = bytes(range(256)) * (MIB // 256)


@contextlib.contextmanager
def _process(app: str, environment: dict[str, str], *options: str) -> Iterator[psutil.Process]:
    command = [sys.executable, "-m", "uvicorn", app, "--no-access-log", "--log-level", "critical"]
    process = subprocess.Popen(
        [*command, *options],
        cwd=PROJECT_ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
    )
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


@contextlib.contextmanager
def _real_nexus(folder: Path) -> Iterator[tuple[str, list[psutil.Process]]]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    api_socket = folder / "api.sock"
    environment = {
        "PYTHONPATH": os.pathsep.join([str(PROJECT_ROOT), str(PROJECT_ROOT / "python")]),
        "NEXUS_PORT": port,
        "NEXUS_API_URL": f"unix:{api_socket}",
    }
    with (
        _process("apps.api.main:app", environment, "--uds", str(api_socket)) as api,
        _process("apps.bff.main:app", environment, "--port", port) as bff,
    ):
        origin = f"http://127.0.0.1:{port}"
        wait_for(lambda: _answers(origin))
        yield origin, [api, bff]


def _answers(origin: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{origin}/readyz").status_code == 200
    return False


class _Peak:
    """The most memory each process held while the block lasted."""

    def __init__(self, processes: list[psutil.Process]) -> None:
        self.processes = processes
        self.most = [0] * len(processes)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self) -> None:
        while not self._done.wait(0.02):
            now = [process.memory_info().rss for process in self.processes]
            self.most = [max(pair) for pair in zip(self.most, now, strict=True)]

    def __enter__(self) -> "_Peak":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def _blocks() -> Iterator[bytes]:
    yield b"%PDF-1.7\n" + BLOCK[9:]
    for _ in range(SIZE // MIB - 1):
        yield BLOCK


def test_a_large_upload_and_its_ingest_stay_out_of_memory(tmp_path: Path) -> None:
    with _real_nexus(tmp_path) as (origin, processes):
        headers = {"Origin": origin}
        with httpx.Client(base_url=origin, headers=headers, timeout=PATIENCE_SECONDS) as browser:
            person = {"email": f"{tmp_path.name}@example.org", "password": PASSWORD}
            assert browser.post("/auth/signup", json=person).status_code == 201
            uploaded(browser, b"%PDF-1.7 warm")
            idle = [process.memory_info().rss for process in processes]
            target = announce(browser, b"", size_bytes=SIZE)
            with _Peak(processes) as peak:
                target["upload_headers"]["Content-Length"] = str(SIZE)
                put(browser, target, _blocks())
                outcome = confirm(browser, target).json()["data"]
            assert outcome["processing_status"] == "pending"
            assert outcome["media_id"] == target["media_id"]
    grown = [most - before for most, before in zip(peak.most, idle, strict=True)]
    assert max(grown) < ALLOWED, f"{[round(size / MIB, 1) for size in grown]} MiB above idle"

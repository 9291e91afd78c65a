"""A large file passes through the server without staying in its memory."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from nexus.storage.local import LocalStorage
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.heavy

PATH = "media/one/original.pdf"
MIB = 1024 * 1024
SIZE = 100 * MIB
ALLOWED = 4 * MIB


@contextmanager
def serving_process(data_dir: Path) -> Iterator[tuple[str, psutil.Process]]:
    script = Path(__file__).with_name("upload_server.py")
    command = [sys.executable, str(script), str(data_dir), "secret"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            port = int(process.stdout.readline())
            yield f"http://127.0.0.1:{port}", psutil.Process(process.pid)
        finally:
            process.terminate()


def test_100_mib_keep_the_server_near_its_idle_memory(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "storage", "secret")
    block = bytes(range(256)) * (MIB // 256)
    peak = 0

    with (
        serving_process(tmp_path) as (origin, process),
        httpx.Client(timeout=PATIENCE_SECONDS) as browser,
    ):

        def upload(path: str, blocks: int) -> None:
            target = storage.sign_upload(
                path, content_type="application/pdf", size_bytes=blocks * MIB
            )
            headers = {**target.headers, "Content-Length": str(blocks * MIB)}
            body = (measured(block) for _ in range(blocks))
            answer = browser.put(origin + target.url, content=body, headers=headers)
            assert answer.status_code == 204

        def download(path: str) -> str:
            digest = hashlib.sha256()
            url = storage.sign_download(path, filename="x.pdf").url
            with browser.stream("GET", origin + url) as answer:
                assert answer.status_code == 200
                for chunk in answer.iter_raw(MIB):
                    digest.update(measured(chunk))
            return digest.hexdigest()

        def measured(data: bytes) -> bytes:
            nonlocal peak
            peak = max(peak, process.memory_info().rss)
            return data

        upload("media/warm/up.pdf", 2)
        download("media/warm/up.pdf")
        idle, peak = process.memory_info().rss, 0
        upload(PATH, SIZE // MIB)
        received = download(PATH)

    expected = hashlib.sha256()
    for _ in range(SIZE // MIB):
        expected.update(block)
    assert received == expected.hexdigest()
    assert peak - idle < ALLOWED, f"{(peak - idle) / MIB:.1f} MiB above idle"

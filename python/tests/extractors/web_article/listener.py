"""An extractor elsewhere, as far as the tests are concerned."""

import os
import shutil
import subprocess

import psutil
from bench.ports import free_port

from nexus.config import Settings
from nexus.extractors.web_article.node_process import PROGRAM
from tests.extractors.web_article.lighthouse import below, settings
from tests.patience import PATIENCE_SECONDS


class Listener:
    """`ingest.mjs --listen`, which can go and come back at the same place."""

    def __init__(self) -> None:
        self.place = f"127.0.0.1:{free_port()}"
        self.settings: Settings = settings(extractor=self.place)
        self.start()

    def start(self) -> None:
        node = shutil.which("node")
        assert node is not None
        self.process = subprocess.Popen(
            [node, str(PROGRAM), "--listen", self.place],
            env={**os.environ, "NEXUS_ENV": "test"},
            stdout=subprocess.PIPE,
        )

    def children(self) -> list[psutil.Process]:
        return below(self.process.pid)

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process.wait(PATIENCE_SECONDS)

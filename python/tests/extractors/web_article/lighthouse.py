"""A site for the extractor, and what the tests of it need to see of its processes."""

import contextlib
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest

from nexus.config import PROJECT_ROOT, Environment, Settings
from nexus.embedded.processes import is_alive
from nexus.extractors.web_article.node_client import Extracted, extract
from nexus.extractors.web_article.node_errors import (
    IngestFailed,
    IngestInterrupted,
    IngestTimeout,
)
from tests.patience import PATIENCE_SECONDS

SENTENCE = "The lighthouse keeper wrote every evening about the weather and the ships. "
ARTICLE = f"<title>Lighthouse</title><article>{f'<p>{SENTENCE * 4}</p>' * 6}</article>"


ODD = {
    "/blank": "<p></p>",
    "/surrogate": ARTICLE + "<script>document.title = 'half \\ud83d of a \\0 pair'</script>",
}


class Site:
    """Pages on loopback; `/hang` never answers, until the site closes."""

    def __init__(self) -> None:
        self.closing = threading.Event()
        self.asked: set[str] = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.add(self.path)
                if self.path == "/hang":
                    outer.closing.wait()
                    return
                body = ODD.get(self.path, ARTICLE).encode()
                self.send_response(404 if self.path == "/missing" else 200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}{path}"

    def close(self) -> None:
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


def settings(**values: object) -> Settings:
    return Settings.model_validate({"env": Environment.TEST, **values})


def below(pid: int) -> list[psutil.Process]:
    return list(psutil.Process(pid).children(recursive=True))


def gone(processes: list[psutil.Process]) -> bool:
    return not any(map(is_alive, processes))


def assert_reads_and_fails(site: Site, chosen: Settings) -> None:
    """What every way to an extractor has in common."""
    article = read(site.url("/article"), chosen)
    assert article.final_url == article.base_url == site.url("/article")
    assert article.title == "Lighthouse"
    assert SENTENCE.strip() in article.content_html
    for path, message in [
        ("/missing", "the site returned 404"),
        ("/blank", "no article text found"),
    ]:
        with pytest.raises(IngestFailed, match=message):
            read(site.url(path), chosen)
    with pytest.raises(IngestTimeout, match="too long"):
        not_in_time(site.url("/hang"), chosen)
    with pytest.raises(IngestFailed, match="not public"):
        read("http://10.0.0.1/", chosen)


def read(url: str, chosen: Settings) -> Extracted:
    """Read a page, however long that takes."""
    return extract(url, timeout_seconds=PATIENCE_SECONDS, settings=chosen)


def not_in_time(url: str, chosen: Settings) -> None:
    """Read a page that never comes, again where the machine stood still: no page's fault."""
    for _ in range(3):
        with contextlib.suppress(IngestInterrupted):
            extract(url, timeout_seconds=4, settings=chosen)
            return


PARENT = """
import os, signal, sys
from nexus.extractors.web_article import node_client as node_ingest
from nexus.extractors.web_article import node_shared
url = sys.argv[1]
assert node_ingest.extract(url).title == "Lighthouse"
print(WHO, flush=True)
{rest}
"""

# Until it is killed.
STAY = "signal.pause()"

FORK = """
child = os.fork()
if child == 0:
    assert node_shared._server is None
    assert node_ingest.extract(url).title == "Lighthouse"
    print(WHO, flush=True)
    node_ingest.stop()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert node_shared._server.is_alive
assert node_ingest.extract(url).title == "Lighthouse"
node_ingest.stop()
"""


def run_parent(
    rest: str, url: str, *, who: str = "link.process.pid", extractor: str = ""
) -> subprocess.Popen[str]:
    """A process that reads an article, prints what its extractor is known by, and does the rest."""
    program = PARENT.format(rest=rest).replace("WHO", f"node_shared._server.{who}")
    ours = {"NEXUS_ENV": "test", "NEXUS_EXTRACTOR": extractor}
    return subprocess.Popen(
        [sys.executable, "-c", program, url],
        env={**os.environ, **ours, "PYTHONPATH": str(PROJECT_ROOT / "python")},
        stdout=subprocess.PIPE,
        text=True,
    )

"""A web site on loopback: articles, slow ones, and pages that kill whatever reads them."""

import contextlib
import hashlib
import io
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
from PIL import Image

from tests.patience import PATIENCE_SECONDS

_SENTENCE = (
    "The harbour keeper writes down the height of the water every hour, and the ink of one year "
    "is the forecast of the next. "
)
# /wait-MILLISECONDS/anything, /kills-browser/anything, /kills-node/…, /kills-worker/…
# /picture/anything.png: a picture of its own for each address
_PICTURE = re.compile(r"^/picture/(?P<name>[\w/-]+)\.png$")
_PATH = re.compile(r"^/(?:wait-(?P<wait>\d+)|kills-(?P<victim>\w+))/(?P<name>[\w/-]+)$")


class Site:
    """The server and what it has seen."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.under_way: set[str] = set()
        """Paths that were asked for and are not answered yet."""
        self.kills: Counter[str] = Counter()
        """How often each poisonous page has killed its reader."""
        self._open = threading.Event()
        self._open.set()

    @contextlib.contextmanager
    def serving(self) -> Iterator["Site"]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.let_go()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def urls(self, name: str, count: int, *, wait_ms: int = 100) -> list[str]:
        """Addresses of that many different articles."""
        return [f"{self.origin}/wait-{wait_ms}/{name}/{number}" for number in range(count)]

    def hold(self) -> None:
        """Answer nobody who asks for an article, until `let_go`."""
        self._open.clear()

    def let_go(self) -> None:
        self._open.set()

    def poison(self, victim: str, name: str) -> str:
        """The address of a page that kills the browser, Node or worker process that reads it."""
        return f"{self.origin}/kills-{victim}/{name}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if picture := _PICTURE.match(self.path):
                    self._send("image/png", _picture(picture["name"]))
                    return
                match = _PATH.match(self.path)
                if match is None:
                    self.send_error(404)
                    return
                site.under_way.add(self.path)
                try:
                    with contextlib.suppress(OSError):
                        self._answer(match)
                finally:
                    site.under_way.discard(self.path)

            def _answer(self, match: re.Match[str]) -> None:
                if match["victim"]:
                    site.kills[self.path] += _kill(match["victim"], self.client_address[1])
                    return
                site._open.wait(PATIENCE_SECONDS)
                # A slow page: the time it takes is what its address asks for.
                time.sleep(int(match["wait"]) / 1000)
                self._send("text/html; charset=utf-8", _article(match["name"]).encode())

            def _send(self, content_type: str, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        return Handler


def _article(name: str) -> str:
    paragraphs = "".join(f"<p>{name}, part {part}. {_SENTENCE * 4}</p>" for part in range(8))
    return (
        f"<!doctype html><html><head><title>Report {name}</title></head>"
        f"<body><article><h1>Report {name}</h1>{paragraphs}</article></body></html>"
    )


def _picture(name: str) -> bytes:
    color = hashlib.sha256(name.encode()).digest()[:3]
    buffer = io.BytesIO()
    Image.new("RGB", (32, 32), (color[0], color[1], color[2])).save(buffer, "PNG")
    return buffer.getvalue()


def _kill(victim: str, port: int) -> int:
    """Kill the process which reads the page, found by the port it asks from."""
    for connection in psutil.net_connections(kind="tcp4"):
        if connection.laddr and connection.laddr.port == port and connection.pid:
            node = psutil.Process(connection.pid)
            victims = {
                "browser": node.children(),
                "node": [node],
                "worker": [node.parent()],
            }[victim]
            for process in victims:
                process.send_signal(signal.SIGKILL)
            return 1
    return 0

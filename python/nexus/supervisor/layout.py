"""Where the files of one installation are, and its settings once that is known."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nexus.embedded.folders import private_folder, private_socket_folder, socket_folder
from nexus.embedded.postgres import EmbeddedPostgres
from nexus.embedded.redis import EmbeddedRedis

if TYPE_CHECKING:
    from nexus.config import Settings


@dataclass(frozen=True)
class Layout:
    """The folders and files of one data directory."""

    data_dir: Path

    @property
    def postgres(self) -> EmbeddedPostgres:
        return EmbeddedPostgres(self.data_dir / "postgres")

    @property
    def redis(self) -> EmbeddedRedis:
        return EmbeddedRedis(self.data_dir / "redis")

    @property
    def logs(self) -> Path:
        return self.data_dir / "logs"

    @property
    def run(self) -> Path:
        return self.data_dir / "run"

    @property
    def sockets(self) -> Path:
        """Logically beside `run`; elsewhere when that path is too long for a socket."""
        return socket_folder(self.run)

    @property
    def lock(self) -> Path:
        return self.run / "nexus.lock"

    @property
    def supervisor_socket(self) -> Path:
        return self.sockets / "supervisor.sock"

    @property
    def supervisor_pid(self) -> Path:
        return self.run / "supervisord.pid"

    @property
    def api_socket(self) -> Path:
        return self.sockets / "api.sock"

    @property
    def ready_socket(self) -> Path:
        """Where programs report that they are ready, while Nexus starts."""
        return self.sockets / "ready.sock"

    def log_of(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def create(self) -> None:
        """Make the folders, closed to everybody else."""
        self.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        private_folder(self.logs)
        private_folder(self.run)
        private_socket_folder(self.run)


def with_embedded(settings: "Settings") -> "Settings":
    """Settings that name the embedded servers wherever no other server is configured.

    For every command that talks to the database or the queue of a running Nexus.
    """
    layout = Layout(settings.data_dir)
    return settings.model_copy(
        update={
            "database_url": settings.database_url or layout.postgres.url(),
            "redis_url": settings.redis_url or layout.redis.url,
        }
    )

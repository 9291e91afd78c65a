"""One Postgres and one Redis for the whole run; a database and live servers per test worker."""

import contextlib
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from sqlalchemy.orm import Session

from nexus.db.migrate import upgrade
from nexus.embedded.postgres import EmbeddedPostgres
from nexus.embedded.redis import EmbeddedRedis
from nexus.embedded.running import running
from tests.browser import browser
from tests.gate import recording
from tests.held import pytest_runtest_makereport
from tests.live import LiveNexus, live_nexus
from tests.password_cost import hash_at_low_cost

# One browser for all tests of a process: two would not share its event loop.
__all__ = ["browser", "pytest_runtest_makereport"]

TEMPLATE_DATABASE = "nexus_template"
SERVERS_VARIABLE = "NEXUS_TEST_SERVERS"
SHUFFLE_VARIABLE = "NEXUS_TEST_SHUFFLE"
# Begun last, one of these would keep a worker busy long after the others are done.
LONG_TESTS = (
    "python/tests/faults/test_faults.py",
    "python/tests/supervisor/",
    "python/tests/cli/",
    "python/tests/e2e/test_reader_drawing.py",
)

_servers = contextlib.ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers in the process that leads the run; workers find them by environment."""
    # The servers log from threads of their own, past pytest's capture.
    # Rendered plainly: the default draws a traceback with all variables, which takes seconds.
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.ReturnLoggerFactory(),
    )
    worker = getattr(config, "workerinput", {}).get("workerid")
    if worker is None:
        _start_servers()
    _point_settings_at_test_servers(worker or "main")
    hash_at_low_cost()
    recording.pytest_configure(config)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first and the others in their order, or all of them shuffled."""
    seed = os.environ.get(SHUFFLE_VARIABLE)
    if seed is not None:
        shuffle(items, seed)
    else:
        items.sort(key=lambda item: not item.nodeid.startswith(LONG_TESTS))


def shuffle(items: list[pytest.Item], seed: str) -> None:
    """Any order of modules, and any order inside each: their fixtures stay shared."""
    chance = random.Random(seed)  # the same in all processes of a run
    chance.shuffle(items)
    modules = {item.nodeid.partition("::")[0]: chance.random() for item in items}
    items.sort(key=lambda item: modules[item.nodeid.partition("::")[0]])


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        _servers.close()


def _start_servers() -> None:
    root = Path(tempfile.mkdtemp(prefix="nexus-test-"))
    _servers.callback(shutil.rmtree, root, ignore_errors=True)
    # Postgres drops root's privileges and must still reach its folder.
    root.chmod(0o711)
    postgres = _servers.enter_context(running(EmbeddedPostgres(root / "postgres", durable=False)))
    _servers.enter_context(running(EmbeddedRedis(root / "redis", durable=False)))
    postgres.create_database(TEMPLATE_DATABASE)
    upgrade(postgres.url(TEMPLATE_DATABASE))
    os.environ[SERVERS_VARIABLE] = str(root)


def _point_settings_at_test_servers(worker: str) -> None:
    root = Path(os.environ[SERVERS_VARIABLE])
    postgres = EmbeddedPostgres(root / "postgres", durable=False)
    redis = EmbeddedRedis(root / "redis", durable=False)
    database = f"nexus_{worker}"
    postgres.create_database(database, template=TEMPLATE_DATABASE)
    redis_database = 0 if worker == "main" else int(worker.removeprefix("gw")) + 1
    data_dir = root / "data" / worker
    data_dir.mkdir(parents=True, exist_ok=True)
    os.environ.update(
        NEXUS_ENV="test",
        NEXUS_DATA_DIR=str(data_dir),
        NEXUS_DATABASE_URL=postgres.url(database),
        NEXUS_REDIS_URL=f"{redis.url}?db={redis_database}",
        NEXUS_JWT_SECRET="test-jwt-secret-of-more-than-thirty-two-bytes",
        NEXUS_INTERNAL_SECRET="test-internal-secret",
        NEXUS_STORAGE_SECRET="test-storage-secret",
        NEXUS_STORAGE_PREFIX=f"test_runs/{root.name}/",
        NEXUS_SIGNUP_RATE="10000/minute",
        NEXUS_LOGIN_RATE="10000/minute",
        NEXUS_LOG_LEVEL="warning",
    )


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder of the test's own, removed with it. Short enough for the sockets of real servers."""
    folder = Path(tempfile.mkdtemp(prefix="nexus-test-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def session() -> Iterator[Session]:
    """A session of the test's own; what it commits is there for the servers to see."""
    from nexus.db.session import get_session_factory

    with get_session_factory()() as session:
        yield session


@pytest.fixture(scope="session")
def nexus() -> Iterator[LiveNexus]:
    """API and BFF, served for real, shared by all tests of a worker."""
    with live_nexus() as live:
        yield live

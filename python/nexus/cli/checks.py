"""The checks of `nexus doctor`, in the order they are shown."""

from collections.abc import Callable

from nexus.cli.check_file_store import file_store
from nexus.cli.check_machine import browser, node, packages, python, web_app
from nexus.cli.check_services import database, port, redis_server
from nexus.cli.check_storage import data_directory, secrets_file
from nexus.cli.finding import Finding
from nexus.config import Settings

CHECKS: dict[str, Callable[[Settings], list[Finding]]] = {
    "Python": python,
    "Node": node,
    "Python packages": packages,
    "Web app": web_app,
    "Browser": browser,
    "Data directory": data_directory,
    "Secrets": secrets_file,
    "File store": file_store,
    "Database": database,
    "Redis": redis_server,
    "Port": port,
}

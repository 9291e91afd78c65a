"""Settings as they pass from one process to another: by the environment."""

import os

import psutil
from pydantic import SecretStr

from nexus.config import Settings
from nexus.supervisor.layout import Layout
from nexus.supervisor.lock import holder

# Which installation is meant, and how a command writes its own log, is up to its caller.
_OF_THE_CALLER = {"NEXUS_DATA_DIR", "NEXUS_LOG_LEVEL", "NEXUS_LOG_FORMAT"}


def settings_environment(settings: Settings) -> dict[str, str]:
    """What a process must find in its environment to have these settings."""
    secrets: dict[str, SecretStr] = {
        f"NEXUS_{name.upper()}": getattr(settings, name)
        for name in ("jwt_secret", "internal_secret", "storage_secret")
    }
    return {
        "NEXUS_ENV": settings.env.value,
        "NEXUS_DATA_DIR": str(settings.data_dir),
        "NEXUS_HOST": settings.host,
        "NEXUS_PORT": str(settings.port),
        "NEXUS_DATABASE_URL": settings.database_url or "",
        "NEXUS_REDIS_URL": settings.redis_url or "",
        "NEXUS_API_URL": settings.api_url or "",
        **{name: secret.get_secret_value() for name, secret in secrets.items()},
    }


def use_settings_of_running_nexus(layout: Layout) -> bool:
    """Replace the settings in our environment by those Nexus was started with, if it runs.

    Asked of its process, so that no secret of its environment is ever written down. Nothing
    changes when our environment names another database: then another installation is meant.
    """
    running = _environment_of_running(layout)
    named = os.environ.get("NEXUS_DATABASE_URL")
    if running is None or (named and named != running.get("NEXUS_DATABASE_URL")):
        return False
    for name in filter(_is_replaced, list(os.environ)):
        del os.environ[name]
    os.environ.update({name: value for name, value in running.items() if _is_replaced(name)})
    os.environ["NEXUS_API_URL"] = f"unix:{layout.api_socket}"
    return True


def _environment_of_running(layout: Layout) -> dict[str, str] | None:
    try:
        pid = holder(layout.lock)
        return psutil.Process(pid).environ() if pid else None
    except (psutil.Error, OSError):
        # Ended meanwhile, or somebody else's: the command reports what it cannot do without.
        return None


def _is_replaced(name: str) -> bool:
    ours = name.startswith("NEXUS_") or name == "CELERY_ALWAYS_EAGER"
    return ours and name not in _OF_THE_CALLER

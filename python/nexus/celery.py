"""The Celery application: queues, limits and the schedule."""

from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_ready

from nexus.config import get_settings
from nexus.embedded.redis import broker_url
from nexus.logging import configure_logging
from nexus.queues import DEFAULT_QUEUE, INGEST_QUEUE, LATER_QUEUE, PICTURES_QUEUE
from nexus.ready import report_ready
from nexus.worker_schedule import carry_schedule
from nexus.worker_shutdown import limit_shutdown_time

# A process of the pool is replaced after a task (`tasks/pool_process.py`). These are sent together,
# so that each process gets one soon after it came to rest; sweeps may all go to the same.
_CHORES_SECONDS = 30.0

_SCHEDULE = {
    # Expires unread: a sweep that waited behind other work is superseded by the next.
    "sweep": {"task": "nexus.sweep", "schedule": 5.0, "options": {"expires": 10.0}},
    # Catches what was saved while the queue was down or another run was in progress.
    "measure-images": {
        "task": "nexus.measure_images",
        "schedule": _CHORES_SECONDS,
        "options": {"expires": _CHORES_SECONDS},
    },
    # What an earlier release stored, until all of it can be searched.
    "index-backlog": {
        "task": "nexus.index_backlog",
        "schedule": _CHORES_SECONDS,
        "options": {"expires": _CHORES_SECONDS},
    },
    # Highlights from elsewhere whose message was lost.
    "place-highlights": {
        "task": "nexus.place_highlights",
        "schedule": _CHORES_SECONDS,
        "options": {"expires": _CHORES_SECONDS},
    },
    "tidy-storage": {"task": "nexus.tidy_storage", "schedule": 3600.0},
    "delete-orphaned-files": {
        "task": "nexus.delete_orphaned_files",
        "schedule": 24 * 3600.0,
    },
    "purge-expired-sessions": {"task": "nexus.purge_expired_sessions", "schedule": 3600.0},
    "fail-abandoned-uploads": {"task": "nexus.fail_abandoned_uploads", "schedule": _CHORES_SECONDS},
    "delete-removed-media": {"task": "nexus.delete_removed_media", "schedule": _CHORES_SECONDS},
    "forget-old-previews": {"task": "nexus.forget_old_previews", "schedule": 3600.0},
    "forget-deleted-highlights": {
        "task": "nexus.forget_deleted_highlights",
        "schedule": _CHORES_SECONDS,
    },
}

MOST_MEMORY_OF_A_PROCESS = 1
"""Not measured: above this number a process is replaced (`tasks/pool_process.py`)."""


def create_celery() -> Celery:
    app = Celery("nexus")
    # Evaluated on first use: importing this module reads no settings.
    app.add_defaults(_configuration)
    limit_shutdown_time(app)
    carry_schedule(app)
    return app


def _configuration() -> dict[str, Any]:
    settings = get_settings()
    return {
        "broker_url": broker_url(settings.redis_url) if settings.redis_url else None,
        "task_always_eager": settings.celery_always_eager,
        "task_eager_propagates": True,
        "task_default_queue": DEFAULT_QUEUE,
        "task_routes": {
            "nexus.ingest_*": {"queue": INGEST_QUEUE},
            "nexus.run_import": {"queue": LATER_QUEUE},
            "nexus.measure_images": {"queue": PICTURES_QUEUE},
            "nexus.index_backlog": {"queue": PICTURES_QUEUE},
        },
        # Postgres holds every result that matters.
        "task_ignore_result": True,
        "task_publish_retry": False,
        # Acknowledged once the work is done, so that a lost worker's message is delivered again.
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "worker_max_memory_per_child": MOST_MEMORY_OF_A_PROCESS,
        "broker_connection_retry_on_startup": True,
        # The row is the job: an article in progress is finished and stored while Redis is down,
        # and its message, delivered again afterwards, finds nothing to do.
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        # Publishing must fail fast: the row is saved, and the request is waiting. Workers poll
        # for messages a second at a time, so the same limits suit them.
        "broker_transport_options": {
            "visibility_timeout": 300,
            # By name, so that `default` comes first: with round robin, slow articles would let
            # one sweep after another expire, and lost work would never be recovered. `later`
            # (imports) and `pictures` come last: nobody waits for those.
            "queue_order_strategy": "sorted",
            "socket_connect_timeout": 2,
            "socket_timeout": 5,
            "max_retries": 1,
            "interval_start": 0.1,
            "connect_retries_timeout": 2,
        },
        "timezone": "UTC",
        "beat_schedule": _SCHEDULE,
    }


@setup_logging.connect  # type: ignore[untyped-decorator]
def _use_our_logging(**_kwargs: object) -> None:
    configure_logging(get_settings(), service="worker")


@worker_ready.connect  # type: ignore[untyped-decorator]
def _report_ready(**_kwargs: object) -> None:
    report_ready()


celery_app = create_celery()

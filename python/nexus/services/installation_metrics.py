"""Metrics of the installation, read from the database and Redis when they are scraped."""

import math
import time
from collections.abc import Iterator, Sequence

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from redis import RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from nexus.broker import redis_client
from nexus.config import Settings
from nexus.metrics.ingest import KEY, ingest_metrics
from nexus.queues import QUEUES
from nexus.services.imports.states import longest_untouched_import
from nexus.services.media_counts import (
    MediaCount,
    count_finished,
    count_unfinished,
    longest_untouched_seconds,
)
from nexus.services.search_backlog import Backlog, count_backlog

_STATEMENT_TIMEOUT = "5s"
# Counting finished items takes longer the more there are, and no alert depends on it.
REMEMBER_SECONDS = 60.0


class InstallationCollector(Collector):
    """A part that does not respond is reported as down and left out; the others still count."""

    def __init__(self, settings: Settings, session_factory: sessionmaker[Session]) -> None:
        self._settings = settings
        self._session_factory = session_factory
        self._finished: Sequence[MediaCount] = []
        self._counted_at = -math.inf

    def describe(self) -> list[Metric]:
        """Nothing: registering must not query anything."""
        return []

    def collect(self) -> Iterator[Metric]:
        """All metrics of the installation."""
        up = GaugeMetricFamily("nexus_up", "1 if the part responds, else 0.", labels=["part"])
        for part, read in (("database", self._from_database), ("redis", self._from_redis)):
            try:
                found = read()
            except (SQLAlchemyError, RedisError):
                found = None
            up.add_metric([part], 0 if found is None else 1)
            yield from found or []
        yield up

    def _from_database(self) -> list[Metric]:
        with self._session_factory() as session:
            session.execute(text(f"SET LOCAL statement_timeout = '{_STATEMENT_TIMEOUT}'"))
            counts = [*count_unfinished(session), *self._count_finished(session)]
            untouched = longest_untouched_seconds(session)
            backlog = count_backlog(session)
            waiting_import = longest_untouched_import(session)
        return [
            *_states([count for count in counts if count.status != "failed"]),
            _failures([count for count in counts if count.status == "failed"]),
            GaugeMetricFamily(
                "nexus_media_longest_untouched_seconds",
                "Time since the most neglected unfinished item was last touched.",
                value=untouched,
            ),
            _backlog(backlog),
            GaugeMetricFamily(
                "nexus_imports_untouched_seconds",
                "Time since anybody worked on the most neglected unfinished import.",
                value=waiting_import,
            ),
        ]

    def _count_finished(self, session: Session) -> Sequence[MediaCount]:
        if time.monotonic() - self._counted_at >= REMEMBER_SECONDS:
            self._finished = count_finished(session)
            self._counted_at = time.monotonic()
        return self._finished

    def _from_redis(self) -> list[Metric]:
        if self._settings.redis_url is None:
            return []
        client = redis_client(self._settings.redis_url)
        depth = GaugeMetricFamily("nexus_queue_depth", "Messages waiting.", labels=["queue"])
        for queue in QUEUES:
            depth.add_metric([queue], client.llen(queue))
        counts = {str(field): str(value) for field, value in client.hgetall(KEY).items()}
        return [depth, *ingest_metrics(counts)]


def _states(counts: list[MediaCount]) -> list[Metric]:
    media = GaugeMetricFamily(
        "nexus_media", "Items that did not fail, by state.", labels=["kind", "status"]
    )
    for count in counts:
        media.add_metric([count.kind, count.status], count.count)
    return [media]


def _backlog(backlog: Backlog) -> Metric:
    items = GaugeMetricFamily(
        "nexus_search_backlog", "Items that search does not know yet.", labels=["state"]
    )
    items.add_metric(["waiting"], backlog.waiting)
    items.add_metric(["failed"], backlog.failed)
    return items


def _failures(counts: list[MediaCount]) -> Metric:
    failed = GaugeMetricFamily(
        "nexus_media_failed", "Items that failed, by reason.", labels=["kind", "code"]
    )
    for count in counts:
        failed.add_metric([count.kind, count.error_code or ""], count.count)
    return failed

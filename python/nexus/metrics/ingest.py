"""Counters of the workers, kept in Redis so that they add up over processes and machines.

They start again when Redis forgets them, as a restarted process does. A count that cannot be kept
is dropped: nothing waits for it and nothing fails because of it.
"""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from redis import RedisError

from nexus.broker import redis_client
from nexus.config import get_settings
from nexus.logging import get_logger

logger = get_logger(__name__)

KEY = "nexus:metrics"
_OUTCOME = "ingest:"
_BUCKET = "ingest_seconds_le:"
_SUM = "ingest_seconds_sum"
_BROWSERS = "browser_starts"
_EXTRACTORS = "extractor_starts"
_BUCKETS = ("0.5", "1.0", "2.0", "3.0", "5.0", "8.0", "13.0", "20.0", "40.0", "+Inf")


def record_attempt(outcome: str, *, seconds: float) -> None:
    """Count one attempt that ended: `stored`, `merged`, `outdated`, or the code of its failure."""
    bucket = next(limit for limit in _BUCKETS if seconds <= float(limit))
    _add({f"{_OUTCOME}{outcome}": 1, f"{_BUCKET}{bucket}": 1, _SUM: seconds})


def record_browser_starts(count: int) -> None:
    """Count browsers that were started, the first of each worker included."""
    _add({_BROWSERS: count})


def record_extractor_start() -> None:
    """Count a Node process that was started."""
    _add({_EXTRACTORS: 1})


def _add(amounts: dict[str, float]) -> None:
    url = get_settings().redis_url
    if url is None:
        return
    try:
        with redis_client(url).pipeline(transaction=False) as pipeline:
            for field, amount in amounts.items():
                pipeline.hincrbyfloat(KEY, field, amount)
            pipeline.execute()
    except RedisError as error:
        logger.info("metrics_dropped", error=str(error))


def ingest_metrics(counts: dict[str, str]) -> Iterator[Metric]:
    """The counters as Prometheus knows them, from the hash in Redis."""
    attempts = CounterMetricFamily(
        "nexus_ingest_attempts", "Attempts to ingest an item that ended.", labels=["outcome"]
    )
    for field, value in sorted(counts.items()):
        if field.startswith(_OUTCOME):
            attempts.add_metric([field.removeprefix(_OUTCOME)], float(value))
    yield attempts
    yield _durations(counts)
    browsers = float(counts.get(_BROWSERS, 0))
    yield CounterMetricFamily("nexus_browser_starts", "Browsers started.", value=browsers)
    extractors = float(counts.get(_EXTRACTORS, 0))
    yield CounterMetricFamily(
        "nexus_extractor_starts", "Node processes of the workers started.", value=extractors
    )


def _durations(counts: dict[str, str]) -> HistogramMetricFamily:
    cumulated, buckets = 0.0, []
    for limit in _BUCKETS:
        cumulated += float(counts.get(f"{_BUCKET}{limit}", 0))
        buckets.append((limit, cumulated))
    durations = HistogramMetricFamily("nexus_ingest_seconds", "How long attempts took.")
    durations.add_metric([], buckets, sum_value=float(counts.get(_SUM, 0)))
    return durations

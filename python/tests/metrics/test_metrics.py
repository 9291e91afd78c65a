"""`/metrics`: what it counts, and who may read it."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr
from sqlalchemy.orm import Session
from starlette.requests import Request

from nexus.broker import redis_client
from nexus.config import get_settings
from nexus.db.enums import FailureStage, ProcessingStatus
from nexus.errors import ForbiddenError
from nexus.metrics import ingest
from nexus.metrics.access import require_metrics_reader
from nexus.queues import QUEUES
from nexus.services import installation_metrics as installation
from tests.bff.test_api_tokens import create, with_token
from tests.factories import make_media, make_user
from tests.live import LiveNexus, live_nexus

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def samples(text: str) -> Samples:
    """Every sample by name and labels; a name described twice is a text nobody can read."""
    families = list(text_string_to_metric_families(text))
    names = [family.name for family in families]
    assert len(names) == len(set(names))
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def read(nexus: LiveNexus) -> Samples:
    answer = httpx.get(f"{nexus.origin}/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return samples(answer.text)


def value(found: Samples, name: str, **labels: str) -> float:
    return found.get((name, frozenset(labels.items())), 0.0)


@pytest.fixture
def _no_counts() -> None:
    url = get_settings().redis_url
    assert url is not None
    redis_client(url).delete(ingest.KEY)


def test_requests_are_counted_by_template(nexus: LiveNexus) -> None:
    with nexus.signed_up() as browser:
        before = read(nexus)
        for _ in range(3):
            assert browser.get(f"/api/libraries/{uuid4()}").status_code == 404
        after = read(nexus)
    api = {"method": "GET", "route": "/libraries/{library_id}", "status": "404"}
    front = {"method": "GET", "route": "/api/{path:path}", "status": "404"}
    for name, labels in (("nexus_api_requests_total", api), ("nexus_bff_requests_total", front)):
        assert value(after, name, **labels) - value(before, name, **labels) == 3
    timed = {"method": "GET", "route": "/libraries/{library_id}"}
    assert value(after, "nexus_api_request_seconds_count", **timed) >= 3
    assert value(after, "nexus_api_request_seconds_bucket", le="+Inf", **timed) >= 3


def test_what_callers_make_up_is_no_label(nexus: LiveNexus) -> None:
    made_up = uuid4().hex
    with nexus.api(uuid4()) as api:
        api.get(f"/{made_up}")
        api.request(made_up.upper()[:8], "/me")
        text = api.get("/metrics", headers={"Authorization": ""}).text
    with nexus.browser() as browser:
        browser.get(f"/{made_up}")
    assert made_up not in (text + httpx.get(f"{nexus.origin}/metrics").text).lower()


@pytest.mark.usefixtures("_no_counts")
def test_ingest_outcomes_add_up(nexus: LiveNexus) -> None:
    for outcome, seconds in [("stored", 0.7), ("stored", 4.0), ("E_INGEST_FAILED", 100.0)]:
        ingest.record_attempt(outcome, seconds=seconds)
    ingest.record_browser_starts(2)
    ingest.record_extractor_start()
    found = read(nexus)
    assert value(found, "nexus_ingest_attempts_total", outcome="stored") == 2
    assert value(found, "nexus_ingest_attempts_total", outcome="E_INGEST_FAILED") == 1
    limits = {"0.5": 0, "1.0": 1, "5.0": 2, "40.0": 2, "+Inf": 3}
    for limit, count in limits.items():
        assert value(found, "nexus_ingest_seconds_bucket", le=limit) == count
    assert value(found, "nexus_ingest_seconds_sum") == pytest.approx(104.7)
    assert value(found, "nexus_ingest_seconds_count") == 3
    assert value(found, "nexus_browser_starts_total") == 2
    assert value(found, "nexus_extractor_starts_total") == 1


def test_counting_never_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    away = get_settings().model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})
    monkeypatch.setattr(ingest, "get_settings", lambda: away)
    ingest.record_attempt("stored", seconds=1)


def test_states_and_queue_depth(
    nexus: LiveNexus, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "REMEMBER_SECONDS", 0.0)
    before = read(nexus)
    person = make_user(session)
    states: list[dict[str, Any]] = [
        {"processing_status": ProcessingStatus.PENDING},
        {"processing_status": ProcessingStatus.EXTRACTING},
        {
            "processing_status": ProcessingStatus.FAILED,
            "failure_stage": FailureStage.EXTRACT,
            "last_error_code": "E_JOB_TIMEOUT",
        },
    ]
    for fields in states:
        make_media(session, person, **fields)
    url = get_settings().redis_url
    assert url is not None
    for queue in QUEUES:
        redis_client(url).lpush(queue, "waiting")
    after = read(nexus)
    for queue in QUEUES:
        redis_client(url).lrem(queue, 1, "waiting")
    expected = [
        ("nexus_media", {"kind": "web_article", "status": "pending"}),
        ("nexus_media", {"kind": "web_article", "status": "extracting"}),
        ("nexus_media_failed", {"kind": "web_article", "code": "E_JOB_TIMEOUT"}),
        *(("nexus_queue_depth", {"queue": queue}) for queue in QUEUES),
    ]
    for name, labels in expected:
        assert value(after, name, **labels) - value(before, name, **labels) == 1
    assert value(after, "nexus_media_longest_untouched_seconds") > 0
    assert value(after, "nexus_up", part="database") == value(after, "nexus_api_up") == 1


def test_what_is_finished_is_counted_now_and_then_what_is_not_always(session: Session) -> None:
    ready = ("nexus_media", {"kind": "web_article", "status": "ready"})
    pending = ("nexus_media", {"kind": "web_article", "status": "pending"})
    person = make_user(session)
    with live_nexus() as nexus:
        before = read(nexus)
        for status in (ProcessingStatus.READY, ProcessingStatus.PENDING):
            make_media(session, person, processing_status=status)
        after = read(nexus)
    assert value(after, ready[0], **ready[1]) == value(before, ready[0], **ready[1])
    assert value(after, pending[0], **pending[1]) == value(before, pending[0], **pending[1]) + 1


def test_a_part_that_is_away_leaves_the_rest() -> None:
    with live_nexus(redis_url="redis://127.0.0.1:1/0") as nexus:
        found = read(nexus)
    assert value(found, "nexus_up", part="redis") == 0
    assert value(found, "nexus_up", part="database") == 1


@pytest.mark.parametrize("path", ["/api/metrics", "/api/%6detrics", "/api/metrics?x=1"])
def test_people_never_reach_it(nexus: LiveNexus, path: str) -> None:
    with nexus.signed_up() as browser:
        _, secret = create(browser)
        with with_token(nexus, secret) as script, with_token(nexus, "a.b.c") as issuer:
            for client in (browser, script, issuer):
                request = client.build_request("GET", "/", extensions={"target": path.encode()})
                assert client.send(request).status_code == 404


def test_the_api_answers_only_nexus_itself(nexus: LiveNexus) -> None:
    with nexus.api() as api:
        assert api.get("/metrics").status_code == 200
        del api.headers["X-Nexus-Internal"]
        assert api.get("/metrics").status_code == 403


@pytest.fixture(scope="module")
def guarded() -> Iterator[LiveNexus]:
    with live_nexus(metrics_token=SecretStr("watcher")) as nexus:
        yield nexus


@pytest.mark.parametrize(
    ("given", "status"),
    [("Bearer watcher", 200), ("Bearer watche", 403), ("watcher", 403), ("", 403), ("é", 403)],
)
def test_with_a_token_only_the_token_counts(guarded: LiveNexus, given: str, status: int) -> None:
    answer = httpx.get(f"{guarded.origin}/metrics", headers=[(b"Authorization", given.encode())])
    assert answer.status_code == status


def test_another_name_of_this_machine_is_refused(nexus: LiveNexus) -> None:
    answer = httpx.get(f"{nexus.origin}/metrics", headers={"Host": "rebound.example"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "E_UNKNOWN_HOST")
    # And if it came this far:
    scope = {
        "type": "http",
        "path": "/metrics",
        "client": ("127.0.0.1", 1),
        "headers": [(b"host", b"rebound.example")],
    }
    with pytest.raises(ForbiddenError, match="NEXUS_METRICS_TOKEN"):
        require_metrics_reader(Request(scope), nexus.settings)


def test_behind_a_proxy_everybody_looks_local() -> None:
    with live_nexus(public_url="https://nexus.example.org") as nexus:
        origin = f"http://{nexus.settings.host}:{nexus.settings.port}"
        assert httpx.get(f"{origin}/metrics").status_code == 403

"""`/readyz` names every part that is not ready; `/healthz` says only that the process lives."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from nexus.config import get_settings
from tests.live import LiveNexus, live_nexus
from tests.patience import PATIENCE_SECONDS

NO_REDIS = {"redis_url": "redis://127.0.0.1:1/0"}


def test_ready(nexus: LiveNexus) -> None:
    assert httpx.get(f"{nexus.origin}/readyz").json() == {"data": {"status": "ok"}}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        (NO_REDIS, ["The queue (Redis) cannot be reached."]),
        ({"storage": "broken"}, ["The file store cannot be used."]),
        (
            {"storage": "broken", **NO_REDIS},
            ["The queue (Redis) cannot be reached.", "The file store cannot be used."],
        ),
    ],
)
def test_not_ready(changes: dict[str, Any], named: list[str], tmp_path: Path) -> None:
    changes = dict(changes)
    if changes.pop("storage", None):
        # A file stands where the folder should be. The API's socket needs a short path.
        data_dir = get_settings().data_dir / "broken"
        data_dir.mkdir(exist_ok=True)
        (data_dir / "storage").touch()
        changes["data_dir"] = data_dir
    with live_nexus(**changes) as nexus:
        answer = httpx.get(f"{nexus.origin}/readyz", timeout=PATIENCE_SECONDS)
        assert httpx.get(f"{nexus.origin}/healthz").status_code == 200
    assert answer.status_code == 503
    assert answer.json()["error"]["message"] == " ".join(named)

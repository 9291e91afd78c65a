"""Generated requests against both OpenAPI documents: no 5xx, no undocumented answer.

The requests are the same in every run: a fixed seed, few of them, valid and invalid ones.
"""

import contextlib
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import requests
import schemathesis
from bench.ports import free_port
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.result import Ok

from nexus.api.app import create_app as create_api
from nexus.bff.app import create_app as create_bff
from nexus.config import get_settings
from tests.live import LiveNexus, serving
from tests.patience import PATIENCE_SECONDS

Operation = APIOperation[Any, Any, Any, Any]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
# An answer that never ends: only its beginning is read.
ENDLESS = {"GET /media/events"}
MAX_REQUEST_LINE = 60_000
EXAMPLES = settings(
    max_examples=6,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def operations(document: dict[str, Any]) -> list[Operation]:
    results = schemathesis.openapi.from_dict(document).get_all_operations()
    found = [result.ok() for result in results if isinstance(result, Ok)]
    assert len(found) == sum(len(methods) for methods in document["paths"].values())
    return found


API = operations(create_api().openapi())
BFF = operations(create_bff().openapi())


@pytest.fixture(scope="module")
def api_url() -> Iterator[str]:
    """The API on a port of its own: the generator does not speak UNIX sockets."""
    port = free_port()
    with serving(create_api(get_settings()), host="127.0.0.1", port=port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def signed_in(nexus: LiveNexus) -> dict[str, str]:
    with nexus.signed_up() as browser:
        cookie = f"nexus_session={browser.cookies['nexus_session']}"
    return {"Cookie": cookie, "Origin": nexus.origin}


def exercise(operation: Operation, url: str, headers: dict[str, str]) -> int:
    """How many requests were made; a check that fails raises."""
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    return sum(exercise_in(mode, operation, url, headers) for mode in modes)


def exercise_in(
    mode: GenerationMode, operation: Operation, url: str, headers: dict[str, str]
) -> int:
    made = 0

    @EXAMPLES
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        nonlocal made
        request = case.as_transport_kwargs(base_url=url)
        line = requests.Request("GET", request["url"], params=request.get("params")).prepare()
        # What is longer never reaches the application: the server itself turns it away.
        assume(len(line.url or "") < MAX_REQUEST_LINE)
        made += 1
        if operation.label in ENDLESS:
            check_beginning(case, url, headers, mode)
        else:
            case.call_and_validate(
                base_url=url, headers=headers, checks=CHECKS, timeout=PATIENCE_SECONDS
            )

    # A route that takes nothing cannot be given anything invalid.
    with contextlib.suppress(Unsatisfiable):
        ask()
    return made


def check_beginning(case: Any, url: str, headers: dict[str, str], mode: GenerationMode) -> None:
    """The checks on an answer that is cut off after its first line."""
    request = case.as_transport_kwargs(base_url=url, headers=headers)
    with requests.request(**request, stream=True, timeout=PATIENCE_SECONDS) as answer:
        # It takes no parameters: only the token can be spoilt.
        assert answer.status_code == 200 or mode is GenerationMode.NEGATIVE
        if answer.status_code == 200:
            assert answer.headers["content-type"].startswith("text/event-stream")
            answer._content = next(answer.iter_lines())
            assert answer.content == b"event: hello"
        checks = [check for check in CHECKS if check is not response_schema_conformance]
        case.validate_response(answer, checks=checks)


@pytest.mark.parametrize("operation", API, ids=lambda operation: operation.label)
def test_api(nexus: LiveNexus, api_url: str, operation: Operation) -> None:
    with nexus.api(uuid4()) as client:
        headers = dict(client.headers)
    assert exercise(operation, api_url, headers) > 0


@pytest.mark.parametrize("operation", BFF, ids=lambda operation: operation.label)
def test_bff(nexus: LiveNexus, signed_in: dict[str, str], operation: Operation) -> None:
    assert exercise(operation, nexus.origin, signed_in) > 0

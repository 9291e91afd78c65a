"""The OpenAPI document says what the API answers."""

from typing import Any

import pytest

from nexus.api.app import create_app as create_api
from nexus.bff.app import create_app as create_bff

DOCUMENTS: dict[str, dict[str, Any]] = {
    "api": create_api().openapi(),
    "bff": create_bff().openapi(),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_422_anywhere(name: str) -> None:
    document = DOCUMENTS[name]
    statuses = {
        status
        for path in document["paths"].values()
        for operation in path.values()
        for status in operation["responses"]
    }
    assert "422" not in statuses
    assert {"200", "400", "401"} <= statuses
    assert not {"HTTPValidationError", "ValidationError"} & set(document["components"]["schemas"])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_reference_leads_somewhere(name: str) -> None:
    document = DOCUMENTS[name]
    schemas = document["components"]["schemas"]

    def references(node: object) -> set[str]:
        if isinstance(node, list):
            return set().union(*map(references, node))
        if not isinstance(node, dict):
            return set()
        own = {node["$ref"].rpartition("/")[2]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*map(references, node.values()))

    assert references(document) <= set(schemas)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_success_and_error_are_enveloped(name: str) -> None:
    for path, operations in DOCUMENTS[name]["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                if content := response.get("content", {}).get("application/json"):
                    schema = content["schema"].get("$ref", "")
                    kind = "ErrorEnvelope" if int(status) >= 400 else "Envelope_"
                    plain = path in {"/healthz", "/readyz"} and status == "200"
                    assert kind in schema or plain, (method, path, status, schema)

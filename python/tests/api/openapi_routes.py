"""The routes of the API as its OpenAPI document lists them."""

from dataclasses import dataclass
from typing import Any

from nexus.api.app import create_app

DOCUMENT: dict[str, Any] = create_app().openapi()


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    path_parameters: tuple[str, ...]
    required_query: tuple[str, ...]
    body_schema: str | None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def mutates(self) -> bool:
        return self.method not in {"GET", "HEAD"}


def all_routes() -> list[Route]:
    return [
        _route(method.upper(), path, operation)
        for path, operations in DOCUMENT["paths"].items()
        for method, operation in operations.items()
    ]


def _route(method: str, path: str, operation: dict[str, Any]) -> Route:
    parameters = operation.get("parameters", [])

    def names(place: str) -> tuple[str, ...]:
        return tuple(
            item["name"] for item in parameters if item["in"] == place and item["required"]
        )

    return Route(method, path, names("path"), names("query"), _body_schema(operation))


def _body_schema(operation: dict[str, Any]) -> str | None:
    """The name of the request body's schema; a body of several schemas goes by all their names."""
    if "requestBody" not in operation:
        return None
    (content,) = operation["requestBody"]["content"].values()
    schema = content["schema"]
    choices = schema.get("anyOf") or schema.get("oneOf") or [schema]
    return "|".join(choice["$ref"].rpartition("/")[2] for choice in choices)

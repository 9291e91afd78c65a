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
    body_required: bool

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def required_fields(self) -> set[str]:
        """Fields that a body cannot be without; of several schemas, those that all require."""
        schemas = DOCUMENT["components"]["schemas"]
        names = self.body_schema.split("|") if self.body_schema else []
        required = [set(schemas[name].get("required", [])) for name in names]
        return set.intersection(*required) if required else set()

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

    required = operation.get("requestBody", {}).get("required", False)
    schema = _body_schema(operation)
    return Route(method, path, names("path"), names("query"), schema, required)


def _body_schema(operation: dict[str, Any]) -> str | None:
    """The name of the request body's schema; a body of several schemas goes by all their names."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return None
    schema = content["schema"]
    choices = schema.get("anyOf") or schema.get("oneOf") or [schema]
    return "|".join(choice["$ref"].rpartition("/")[2] for choice in choices if "$ref" in choice)

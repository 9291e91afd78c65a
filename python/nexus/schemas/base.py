"""What all request and response models share."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import (
    BaseModel,
    ConfigDict,
    InstanceOf,
    PlainSerializer,
    Strict,
    field_validator,
)

from nexus.db.after_commit import Outcome
from nexus.text import collapse_name, is_storable

MAX_NAME_LENGTH = 100

# JSON has no UUIDs: even a strict model takes them from strings.
BodyUUID = Annotated[UUID, Strict(False)]

# Read when the response is written, which is after the commit.
OutcomeFlag = Annotated[
    InstanceOf[Outcome], PlainSerializer(lambda outcome: outcome.done, return_type=bool)
]


class ExactModel(BaseModel):
    """A request body: exact types, no unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RequestModel(ExactModel):
    """A request body whose text the database can store."""

    @field_validator("*", mode="before")
    @classmethod
    def _storable_text(cls, value: Any) -> Any:
        if isinstance(value, str) and not is_storable(value):
            raise ValueError("contains characters that cannot be stored (NUL or broken Unicode)")
        return value


class ResponseModel(BaseModel):
    """Every field is in every response, so the OpenAPI document calls all of them required."""

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
        use_attribute_docstrings=True,
    )


def check_name(name: str, what: str) -> str:
    """The name as it is stored; refuses an empty or too long one."""
    name = collapse_name(name)
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        raise ValueError(f"{what} has 1 to {MAX_NAME_LENGTH} characters")
    return name

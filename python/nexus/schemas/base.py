"""What all request and response models share."""

import re
import unicodedata
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

_NOT_STORABLE = re.compile("[\\x00\\ud800-\\udfff]")

# JSON has no UUIDs: a strict model still takes them from strings.
BodyUUID = Annotated[UUID, Strict(False)]

# Read when the response is written, which is after the commit.
OutcomeFlag = Annotated[
    InstanceOf[Outcome], PlainSerializer(lambda outcome: outcome.done, return_type=bool)
]


class ExactModel(BaseModel):
    """A request body: exact types, no unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RequestModel(ExactModel):
    """Neither does it hold text that the database cannot."""

    @field_validator("*", mode="before")
    @classmethod
    def _storable_text(cls, value: Any) -> Any:
        if isinstance(value, str) and not is_storable(value):
            raise ValueError("contains characters that cannot be stored (NUL or broken Unicode)")
        return value


class ResponseModel(BaseModel):
    model_config = ConfigDict(from_attributes=True)


def is_storable(text: str) -> bool:
    """Postgres text holds every character but NUL; lone surrogates are not characters at all."""
    return _NOT_STORABLE.search(text) is None


def collapse_name(name: str) -> str:
    """A name as people mean it: composed, no control characters, single spaces, no edges."""
    visible = "".join(
        " " if unicodedata.category(char) in {"Cc", "Zl", "Zp", "Zs"} else char
        for char in unicodedata.normalize("NFC", name)
    )
    return " ".join(visible.split())

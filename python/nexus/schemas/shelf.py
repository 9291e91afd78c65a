"""Requests and responses for each person's own order: state, archive, favourites, tags, lists."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field, Strict, model_validator

from nexus.db.enums import ReadingState
from nexus.schemas.base import BodyUUID, RequestModel, ResponseModel, check_name
from nexus.schemas.media import MediaOut
from nexus.text import is_storable

MAX_TAGS_PER_ITEM = 50
MAX_TAGS_IN_FILTER = 10
MAX_IN_BULK = 100


def _check_tag(name: str) -> str:
    if not is_storable(name):
        raise ValueError("contains characters that cannot be stored (NUL or broken Unicode)")
    name = check_name(name, "a tag")
    if '"' in name or "," in name:
        raise ValueError('a tag has no comma and no "')
    if name in {".", ".."}:
        raise ValueError("a tag is more than dots")
    return name


TagName = Annotated[str, AfterValidator(_check_tag)]
_TagNames = Annotated[list[TagName], Field(max_length=MAX_TAGS_PER_ITEM)]
_State = Annotated[ReadingState, Strict(False)]


class MediaSort(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"
    OPENED = "opened"
    TITLE = "title"
    LENGTH = "length"


class _Change(RequestModel):
    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        changes = type(self).model_fields.keys() - {"media_ids"}
        if all(getattr(self, name) is None for name in changes):
            raise ValueError(f"give at least one of {', '.join(sorted(changes))}")
        return self


class MineRequest(_Change):
    """What to change; whatever is not given stays as it is."""

    state: _State | None = None
    archived: bool | None = None
    favourite: bool | None = None
    tags: _TagNames | None = Field(default=None, description="All tags of the item from now on.")


class MediaIdsRequest(RequestModel):
    media_ids: list[BodyUUID] = Field(min_length=1, max_length=MAX_IN_BULK)


class BulkMineRequest(MediaIdsRequest, _Change):
    """What to change in all of these items; whatever is not given stays as it is."""

    state: _State | None = None
    archived: bool | None = None
    favourite: bool | None = None
    add_tags: _TagNames | None = None
    remove_tags: _TagNames | None = None


class MediaItems(ResponseModel):
    """In the order of the request, each item once."""

    media: list[MediaOut]


class AddedOut(ResponseModel):
    added: int
    """How many of the items were not in the library before."""


class TagOut(ResponseModel):
    name: str
    count: int
    """How many items that the viewer can read have it."""


class TagList(ResponseModel):
    tags: list[TagOut]


class TagNameRequest(RequestModel):
    name: TagName

"""The filters of a search, as conditions on the person's shelf."""

from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    BindParameter,
    Boolean,
    ColumnElement,
    DateTime,
    Select,
    Text,
    all_,
    any_,
    bindparam,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import TSQUERY

from nexus.db.models import ItemTag, ShelfItem, Tag
from nexus.search.query import read_term
from nexus.search.query_filters import Filters
from nexus.search.tsqueries import with_positions
from nexus.services.media_personal import VIEWER_ID
from nexus.services.tags import tag_key
from nexus.text import collapse_name

Values = dict[str, Any]
_AUTHORS, _SITES = "B", "D"


def filter_values(filters: Filters) -> Values:
    """The parameters of the filters that restrict something; their names say which ones do."""
    values: Values = {
        "tags": sorted({tag_key(collapse_name(tag)) for tag in filters.tags}),
        "without_tags": sorted({tag_key(collapse_name(tag)) for tag in filters.without_tags}),
        "kinds": sorted(filters.kinds),
        "without_kinds": sorted(filters.without_kinds),
        "states": sorted(filters.states),
        "without_states": sorted(filters.without_states),
        "about": _about(filters.authors, filters.sites, " & "),
        "not_about": _about(filters.without_authors, filters.without_sites, " | "),
        "archived": filters.archived,
        "favourite": filters.favourite,
        "saved_from": filters.saved_from,
        "saved_before": filters.saved_before,
    }
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def filter_conditions(names: frozenset[str]) -> list[ColumnElement[bool]]:
    """SQL conditions on `ShelfItem` for the parameters of these names."""
    item = ShelfItem
    conditions: dict[str, ColumnElement[bool]] = {
        "tags": item.media_id.in_(
            _tagged("tags").having(func.count() == func.cardinality(_texts("tags")))
        ),
        "without_tags": item.media_id.not_in(_tagged("without_tags")),
        "kinds": item.kind == any_(_texts("kinds")),
        "without_kinds": item.kind != all_(_texts("without_kinds")),
        "states": item.state == any_(_texts("states")),
        "without_states": item.state != all_(_texts("without_states")),
        "about": item.words.bool_op("@@")(bindparam("about", type_=TSQUERY())),
        "not_about": ~item.words.bool_op("@@")(bindparam("not_about", type_=TSQUERY())),
        "archived": item.archived == bindparam("archived", type_=Boolean()),
        "favourite": item.favourite == bindparam("favourite", type_=Boolean()),
        "saved_from": item.saved_at >= bindparam("saved_from", type_=DateTime(timezone=True)),
        "saved_before": item.saved_at < bindparam("saved_before", type_=DateTime(timezone=True)),
    }
    return [condition for name, condition in conditions.items() if name in names]


def _texts(name: str) -> BindParameter[Any]:
    return bindparam(name, type_=ARRAY(Text))


def _tagged(name: str) -> Select[UUID]:
    """Items with at least one of the tags, which are counted."""
    return (
        select(ItemTag.media_id)
        .join(Tag, Tag.id == ItemTag.tag_id)
        .where(Tag.user_id == VIEWER_ID, Tag.key == any_(_texts(name)))
        .group_by(ItemTag.media_id)
    )


def _about(authors: tuple[str, ...], sites: tuple[str, ...], operator: str) -> str:
    """Names as they are written, in any order of several."""
    parts = [
        with_positions([term], [], lambda _word: (), weights=weight)
        for weight, names in ((_AUTHORS, authors), (_SITES, sites))
        for term in (read_term(name, exact=True) for name in names)
        if term.words
    ]
    return operator.join(f"({part})" for part in parts)

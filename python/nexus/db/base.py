"""Declarative base: constraint names, column types and the columns most tables share."""

from datetime import datetime
from enum import StrEnum
from typing import ClassVar
from uuid import UUID, uuid4

from sqlalchemy import DateTime, Enum, Index, MetaData, Text, Uuid, func, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# Named constraints can be dropped and changed by a later migration on every database alike.
NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map: ClassVar = {
        str: Text(),
        UUID: Uuid(as_uuid=True),
        datetime: DateTime(timezone=True),
    }


def checked_enum(values: type[StrEnum], *, name: str) -> Enum:
    """A text column with a CHECK on its values: plain to read in SQL, plain to extend later."""
    return Enum(
        values,
        name=name,
        native_enum=False,
        create_constraint=True,
        length=32,
        values_callable=lambda members: [member.value for member in members],
    )


def words_of_one_person(table: str) -> Index:
    """For `ARRAY[user_id] && … AND words @@ …`: reads what is that person's alone."""
    return Index(
        f"ix_{table}_words",
        text("(ARRAY[user_id])"),
        "words",
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )


class HasId:
    id: Mapped[UUID] = mapped_column(
        primary_key=True,
        default=uuid4,
        server_default=text("gen_random_uuid()"),
        sort_order=-1,
    )


class HasCreatedAt:
    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), sort_order=1)


class HasTimestamps(HasCreatedAt):
    # clock_timestamp, not now(), so that two changes in one transaction differ.
    updated_at: Mapped[datetime] = mapped_column(
        server_default=func.now(), onupdate=func.clock_timestamp(), sort_order=2
    )

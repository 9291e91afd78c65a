"""Installations to back up and to restore into: a database and a data directory each."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from nexus.backup.tables import DERIVED
from nexus.config import Settings
from nexus.db.enums import HighlightColor, MediaKind, UnplacedState
from nexus.db.models import (
    Annotation,
    Base,
    Highlight,
    ItemTag,
    MediaFile,
    MediaPicture,
    ShelfItem,
    Tag,
    UnplacedHighlight,
)
from nexus.db.session import create_database_engine
from nexus.embedded.postgres import EmbeddedPostgres
from nexus.storage import get_storage_client
from nexus.storage.paths import object_path, picture_path
from tests.conftest import SERVERS_VARIABLE, TEMPLATE_DATABASE
from tests.factories import make_article, make_media, make_user


def new_installation(folder: Path, *, migrated: bool = True, **changes: object) -> Settings:
    """Settings of an installation with a database of its own on the tests' server."""
    server = EmbeddedPostgres(Path(os.environ[SERVERS_VARIABLE]) / "postgres", durable=False)
    name = f"backup_{uuid4().hex}"
    server.create_database(name, template=TEMPLATE_DATABASE if migrated else None)
    # Short: sockets below it need no stand-in elsewhere.
    data_dir = folder / name[-6:]
    data_dir.mkdir()
    settings = Settings(data_dir=data_dir, database_url=server.url(name))
    return settings.model_copy(update=changes)


def unreachable(folder: Path) -> Settings:
    """An installation whose database nobody can ask, and which has no files yet."""
    url = "postgresql+psycopg://127.0.0.1:1/none"
    return Settings(data_dir=folder / "unreachable", database_url=url)


@contextmanager
def engine_of(settings: Settings) -> Iterator[Engine]:
    assert settings.database_url is not None
    engine = create_database_engine(settings.database_url, pool_size=2)
    try:
        yield engine
    finally:
        engine.dispose()


def fill(settings: Settings, *, files: int = 2) -> None:
    """People with overlapping highlights, notes, and uploaded files."""
    with engine_of(settings) as engine, Session(engine, expire_on_commit=False) as session:
        for email in ("ada@example.org", "bo@example.org"):
            person = make_user(session, email=email)
            url = f"https://example.org/{email}"
            fragment = make_article(session, person, text="Ein Satz ✓ 漢字", canonical_url=url)
            for start, color in ((0, HighlightColor.YELLOW), (2, HighlightColor.BLUE)):
                add_highlight(session, person.user_id, fragment.id, start=start, color=color)
            add_tag(session, person.user_id, fragment.media_id)
            add_unplaced(session, person.user_id, fragment.media_id)
            for _ in range(files):
                add_file(session, settings, person.user_id)
            session.commit()


def add_unplaced(session: Session, user_id: UUID, media_id: UUID) -> None:
    """A highlight from elsewhere that was not found in the text."""
    session.add(
        UnplacedHighlight(
            user_id=user_id,
            media_id=media_id,
            key="k",
            quote="Nirgends ☕",
            prefix="",
            suffix="",
            note="A\tnote",
            color=HighlightColor.PINK,
            state=UnplacedState.NOT_FOUND,
        )
    )


def add_tag(session: Session, user_id: UUID, media_id: UUID) -> None:
    """A tag on an item, which is archived as well."""
    tag = Tag(user_id=user_id, name="Später", key="später")
    session.add(tag)
    session.get_one(ShelfItem, (user_id, media_id)).archived = True
    session.flush()
    session.add(ItemTag(user_id=user_id, media_id=media_id, tag_id=tag.id))


def add_highlight(
    session: Session, user_id: UUID, fragment_id: UUID, *, start: int, color: HighlightColor
) -> None:
    """A highlight and its note."""
    highlight = Highlight(
        user_id=user_id,
        fragment_id=fragment_id,
        start_offset=start,
        end_offset=start + 4,
        color=color,
        exact="x",
        prefix="",
        suffix="",
    )
    session.add(highlight)
    session.flush()
    session.add(Annotation(highlight_id=highlight.id, user_id=user_id, body="A note – ☕"))


def add_file(session: Session, settings: Settings, user_id: UUID) -> tuple[UUID, str]:
    """An item whose file is in the store."""
    data = b"%PDF-1.7\n" + os.urandom(70_000)
    media_id = uuid4()
    path = object_path(media_id, "pdf", prefix=settings.storage_prefix)
    get_storage_client(settings).put(
        path, content_type="application/pdf", size_bytes=len(data), chunks=[data]
    )
    viewer = make_user(session)
    make_media(
        session,
        viewer,
        id=media_id,
        kind=MediaKind.PDF,
        requested_url=None,
        created_by_user_id=user_id,
        file_sha256=hashlib.sha256(data).hexdigest(),
    )
    session.add(
        MediaFile(
            media_id=media_id,
            storage_path=path,
            content_type="application/pdf",
            size_bytes=len(data),
        )
    )
    session.commit()
    return media_id, path


def add_picture(session: Session, settings: Settings, media_id: UUID) -> str:
    """A picture of the text of an item, in the store."""
    data = os.urandom(5_000)
    name = f"{hashlib.sha256(data).hexdigest()}.png"
    path = picture_path(media_id, name, prefix=settings.storage_prefix)
    get_storage_client(settings).put(
        path, content_type="image/png", size_bytes=len(data), chunks=[data]
    )
    session.add(MediaPicture(media_id=media_id, name=name, storage_path=path, size_bytes=len(data)))
    session.commit()
    return path


def contents(settings: Settings) -> dict[str, list[str]]:
    """Every row of every table of a backup, and every stored file by its checksum."""
    assert settings.database_url is not None
    url = settings.database_url.replace("+psycopg", "")
    found = {}
    with psycopg.connect(url) as connection:
        for table in Base.metadata.tables.keys() - DERIVED:
            rows = connection.execute(f'SELECT t::text FROM "{table}" t ORDER BY 1').fetchall()
            found[table] = [row[0] for row in rows]
    found["stored"] = sorted(stored(settings))
    return found


def stored(settings: Settings) -> Iterator[str]:
    storage = get_storage_client(settings)
    for file in storage.list_prefix(f"{settings.storage_prefix}media"):
        body = b"".join(storage.open_stream(file.path))
        yield f"{file.path} {hashlib.sha256(body).hexdigest()}"

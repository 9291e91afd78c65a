"""Markdown of one person: all of theirs, nothing of others, readable without Nexus."""

import os
import re
import subprocess
import sys
import zipfile
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from uuid import UUID, uuid4

import yaml
from markdown_it import MarkdownIt
from sqlalchemy import select
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import HighlightColor, MembershipRole
from nexus.db.models import Account, Library, LibraryMedia, MediaFile
from nexus.export.job import ExportJob
from nexus.export.run import start_export
from nexus.schemas.exports import ExportFormat
from nexus.services.viewer import Viewer
from nexus.storage import get_storage_client
from tests.backup.installations import add_file, add_highlight, add_tag
from tests.factories import make_article, make_library, make_user
from tests.live import LiveNexus
from tests.patience import PATIENCE_SECONDS


def exported(session: Session, viewer: Viewer, path: Path) -> tuple[zipfile.ZipFile, ExportJob]:
    session.commit()
    storage = get_storage_client(get_settings())
    export = start_export(session, viewer, storage, format=ExportFormat.MARKDOWN)
    path.write_bytes(b"".join(export.chunks))
    session.rollback()
    return zipfile.ZipFile(path), export.job


def linked_from(index: str) -> set[str]:
    """Where the links lead, as a Markdown program and then a file system read them."""
    found = re.findall('href="([^"]+)"', MarkdownIt().render(index))
    return {unquote(unescape(link)) for link in found}


def titles(archive: zipfile.ZipFile) -> list[str]:
    members = [name for name in archive.namelist() if name.startswith("pages/")]
    return sorted(head(archive, name)["title"] for name in members)


def head(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    fields: dict[str, Any] = yaml.safe_load(archive.read(name).decode().split("---\n", 2)[1])
    return fields


def test_pages_say_what_the_person_made_of_an_item(session: Session, tmp_path: Path) -> None:
    ada = make_user(session)
    article = make_article(session, ada, title="Mine")
    add_tag(session, ada.user_id, article.media_id)
    session.commit()
    archive, _ = exported(session, ada, tmp_path / "ada.zip")
    [page] = [name for name in archive.namelist() if name.endswith("Mine.md")]
    lines = archive.read(page).decode().splitlines()
    for line in ('state: "unread"', "archived: true", "favourite: false", 'tags: ["Später"]'):
        assert line in lines


def test_it_holds_what_the_person_can_read_and_only_their_highlights(
    session: Session, tmp_path: Path
) -> None:
    ada, bo = make_user(session), make_user(session)
    shared = make_library(session, bo, name="Club", members={ada.user_id: MembershipRole.MEMBER})
    own = make_article(session, ada, title="Mine", text="Mine to read")
    club = make_article(session, bo, title="Ours", library_ids=[shared.id])
    make_article(session, bo, title="Not hers")
    for person in (ada, bo):
        add_highlight(session, person.user_id, club.id, start=0, color=HighlightColor.GREEN)
    session.commit()
    archive, done = exported(session, ada, tmp_path / "ada.zip")
    assert archive.testzip() is None
    assert titles(archive) == ["Mine", "Ours"]
    assert (done.items_written, done.highlights_written, done.missing_files) == (2, 1, [])
    (name,) = [name for name in archive.namelist() if name.endswith("Ours.md")]
    assert head(archive, name)["libraries"] == ["Club"]
    assert archive.read(name).decode().count("A note – ☕") == 1
    (page,) = [name for name in archive.namelist() if name.endswith("Mine.md")]
    assert own.canonical_text in archive.read(page).decode()


def test_every_item_has_a_name_of_its_own_that_any_system_takes(
    session: Session, tmp_path: Path
) -> None:
    ada = make_user(session)
    named = ["Same", "same", "SAME", "../../etc/passwd", "CON", "a/b\\c", "x" * 900, "漢" * 900]
    named += ["\u202egnp.exe", "100% #1", "Q&amp;A", "...", "🙂" * 200]
    for title in named:
        make_article(session, ada, title=title)
    archive, done = exported(session, ada, tmp_path / "names.zip")
    assert done.items_written == len(named)
    names = archive.namelist()
    assert len({name.casefold() for name in names}) == len(names) == len(named) + 1
    for name in names:
        assert name.count("/") == (name != "index.md")
        assert len(name.rpartition("/")[2].encode()) <= 255
        assert not set(name) & set('\\:*?"<>|\u202e')
        assert ".." not in name.split("/")
    assert titles(archive) == sorted(named)
    index = archive.read("index.md").decode()
    assert linked_from(index) == {name for name in names if name.startswith("pages/")}


def test_uploaded_files_are_in_it_and_lost_ones_are_said(session: Session, tmp_path: Path) -> None:
    settings, ada = get_settings(), make_user(session)
    kept, lost = (add_file(session, settings, ada.user_id) for _ in range(2))
    for media_id, _ in (kept, lost):
        session.add(LibraryMedia(library_id=ada.default_library_id, media_id=media_id))
    session.commit()
    storage = get_storage_client(settings)
    storage.delete(lost[1])
    archive, done = exported(session, ada, tmp_path / "files.zip")
    assert len(done.missing_files) == 1
    (member,) = [name for name in archive.namelist() if name.startswith("files/")]
    assert member.endswith(".pdf")
    assert archive.read(member) == b"".join(storage.open_stream(kept[1]))
    size = session.scalars(select(MediaFile.size_bytes).where(MediaFile.media_id == kept[0])).one()
    assert archive.getinfo(member).file_size == size


def test_a_file_cut_short_in_the_store_is_not_passed_on(session: Session, tmp_path: Path) -> None:
    settings, ada = get_settings(), make_user(session)
    media_id, path = add_file(session, settings, ada.user_id)
    session.add(LibraryMedia(library_id=ada.default_library_id, media_id=media_id))
    session.commit()
    storage = get_storage_client(settings)
    storage.delete(path)
    storage.put(path, content_type="application/pdf", size_bytes=4, chunks=[b"%PDF"])
    archive, done = exported(session, ada, tmp_path / "short.zip")
    assert len(done.missing_files) == 1
    assert not [name for name in archive.namelist() if name.startswith("files/")]


def test_more_than_a_page_of_items(session: Session, tmp_path: Path) -> None:
    ada = make_user(session)
    for number in range(205):
        make_article(session, ada, title=f"Number {number}", text=f"Text {number}")
    archive, done = exported(session, ada, tmp_path / "many.zip")
    assert done.items_written == 205
    assert len(titles(archive)) == 205


def run_export(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nexus.cli.main", "export", str(path), *arguments]
    return subprocess.run(
        command,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_the_command(nexus: LiveNexus, session: Session, tmp_path: Path) -> None:
    email, path = f"{uuid4().hex}@example.org", tmp_path / "notes.zip"
    nexus.signed_up(email).close()
    user_id: UUID = session.scalars(select(Account.user_id).where(Account.email == email)).one()
    done = run_export(path, "--user", email)
    assert (done.returncode, done.stderr) == (0, "")
    assert path.stat().st_mode & 0o777 == 0o600
    # The welcome article, with the highlights it comes with.
    items = len([name for name in zipfile.ZipFile(path).namelist() if name.startswith("pages/")])
    assert done.stdout == f"Wrote {path}: {items} items, 3 highlights.\n"
    with nexus.api(user_id) as api:
        assert items == len(api.get("/media").json()["data"]["media"])
    again = run_export(path, "--user", email)
    assert (again.returncode, again.stderr) == (
        1,
        f"{path}: already there: choose another name, or delete it first\n",
    )
    media_id, stored = add_file(session, get_settings(), user_id)
    library_id = session.scalars(
        select(LibraryMedia.library_id)
        .join(Library)
        .where(Library.owner_user_id == user_id)
        .limit(1)
    ).one()
    session.add(LibraryMedia(library_id=library_id, media_id=media_id))
    session.commit()
    get_storage_client(get_settings()).delete(stored)
    lacking = run_export(tmp_path / "lacking.zip", "--user", email)
    assert (lacking.returncode, lacking.stdout) == (1, "")
    assert lacking.stderr.startswith("The archive is incomplete: 1 of the uploaded files ")
    unknown = run_export(tmp_path / "x.zip", "--user", "nobody@example.org")
    assert (unknown.returncode, unknown.stderr) == (1, "There is no account nobody@example.org.\n")
    nowhere = run_export(tmp_path / "no" / "x.zip", "--user", email)
    assert nowhere.returncode == 1
    assert "No such file or directory" in nowhere.stderr

"""The archive: a page of Markdown and a JSON file for each item, and the files people uploaded."""

import os
import shutil
import tempfile
import time
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.orm import Session

from nexus.atomic_file import new_file
from nexus.db.models import MediaFile
from nexus.export.item import ExportedItem, all_items
from nexus.export.markdown import inline, item_page
from nexus.progress import Progress
from nexus.services.viewer import Viewer
from nexus.storage import StorageClient
from nexus.storage.copying import copy_object
from nexus.storage.filenames import safe_filename

_SAY_EVERY = 500
# File systems allow names of up to 255 bytes.
_TITLE_BYTES = 180


@dataclass
class Exported:
    """How much was written, and which files the store had lost or damaged."""

    items: int = 0
    highlights: int = 0
    missing_files: list[str] = field(default_factory=list)


def write_export(
    session: Session, viewer: Viewer, storage: StorageClient, path: Path, *, say: Progress
) -> Exported:
    """Write all that the person can read, as it is at this moment, into one zip."""
    done, names, index = Exported(), _Names(), ["# Index\n"]
    with new_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for item, stored in all_items(session, viewer):
            name = names.of(item)
            archive.writestr(f"pages/{name}.md", item_page(item))
            archive.writestr(f"json/{name}.json", item.model_dump_json(indent=1))
            if stored and not _copy(archive, storage, stored, f"files/{name}", path.parent):
                done.missing_files.append(item.media.title)
            index.append(f"- [{inline(item.media.title)}](<pages/{_in_link(name)}.md>)")
            done.items += 1
            done.highlights += len(item.highlights)
            if done.items % _SAY_EVERY == 0:
                say(f"  {done.items} items")
        archive.writestr("index.md", "\n".join(index) + "\n")
    return done


class _Names:
    """A name for every item that is unique on every file system."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._alike: Counter[str] = Counter()

    def of(self, item: ExportedItem) -> str:
        title = safe_filename(" ".join(item.media.title.split())).encode()[:_TITLE_BYTES]
        plain = f"{item.media.created_at:%Y-%m-%d} {title.decode(errors='ignore').strip(' .')}"
        name = plain
        while name.casefold() in self._taken:
            self._alike[plain.casefold()] += 1
            name = f"{plain} ({self._alike[plain.casefold()] + 1})"
        self._taken.add(name.casefold())
        return name


def _in_link(name: str) -> str:
    """Without what means something in an address. Brackets and backslashes are in no name."""
    return name.replace("%", "%25").replace("#", "%23").replace("&", "%26")


def _copy(
    archive: zipfile.ZipFile, storage: StorageClient, stored: MediaFile, name: str, room: Path
) -> bool:
    """False when the store has lost the file; then the archive has no trace of it either."""
    with tempfile.TemporaryFile(dir=room) as spool:
        lost = copy_object(storage, stored.storage_path, spool)
        if lost is not None or os.fstat(spool.fileno()).st_size != stored.size_bytes:
            return False
        extension = Path(stored.storage_path).suffix
        # Not compressed again: PDFs and EPUBs already are.
        member = zipfile.ZipInfo(f"{name}{extension}", date_time=time.localtime()[:6])
        member.file_size = stored.size_bytes
        with archive.open(member, "w") as target:
            shutil.copyfileobj(spool, target)
    return True

"""A zip of Markdown: a page for each item, its original file, and an index of the pages."""

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from tempfile import SpooledTemporaryFile

from nexus.export.files import missing_files_note, whole_file
from nexus.export.items import ExportedItem
from nexus.export.job import ExportJob
from nexus.export.markdown import inline
from nexus.export.view import view_of
from nexus.export.zip_stream import ZipStream
from nexus.storage.filenames import safe_filename

# File systems allow names of up to 255 bytes.
_TITLE_BYTES = 180
_IN_MEMORY = 1024 * 1024


def write(job: ExportJob) -> Iterator[bytes]:
    names = _Names()
    with ZipStream() as archive, SpooledTemporaryFile(max_size=_IN_MEMORY) as index:
        index.write(b"# Index\n\n")
        for item in job.items(texts=True):
            name = names.of(item)
            yield from archive.add(f"pages/{name}.md", job.pages.page(view_of(item)).encode())
            if item.file is not None:
                extension = PurePosixPath(item.file.storage_path).suffix
                with whole_file(job, item) as copied:
                    if copied is not None:
                        yield from archive.add_file(f"files/{name}{extension}", copied[0])
            link = f"- [{inline(item.media.title)}](<pages/{_in_link(name)}.md>)\n"
            index.write(link.encode())
        index.seek(0)
        yield from archive.add("index.md", index.read())
        if job.missing_files:
            yield from archive.add("missing-files.txt", missing_files_note(job))
        yield from archive.end()


class _Names:
    """A name for every item that is unique on every file system.

    Items come by date and names begin with it: only those of one day can be alike.
    """

    def __init__(self) -> None:
        self._day = ""
        self._taken: set[str] = set()
        self._alike: Counter[str] = Counter()

    def of(self, item: ExportedItem) -> str:
        day = f"{item.media.saved_at:%Y-%m-%d}"
        if day != self._day:
            self._day = day
            self._taken.clear()
            self._alike.clear()
        title = safe_filename(" ".join(item.media.title.split())).encode()[:_TITLE_BYTES]
        plain = f"{day} {title.decode(errors='ignore').strip(' .')}"
        name = plain
        while name.casefold() in self._taken:
            self._alike[plain.casefold()] += 1
            name = f"{plain} ({self._alike[plain.casefold()] + 1})"
        self._taken.add(name.casefold())
        return name


def _in_link(name: str) -> str:
    """Without what means something in an address. Brackets and backslashes are in no name."""
    return name.replace("%", "%25").replace("#", "%23").replace("&", "%26")

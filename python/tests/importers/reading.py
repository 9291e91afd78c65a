"""Reading files in tests: bytes in, records out."""

import io
import zipfile
from collections.abc import Mapping

from nexus.importers.formats import BY_NAME, detect
from nexus.importers.records import ImportedItem, Skipped


def detected(data: bytes) -> str | None:
    found = detect(io.BytesIO(data))
    return found.name if found else None


def read(name: str, data: bytes | str) -> tuple[list[ImportedItem], list[Skipped]]:
    """The items and what was skipped of a file that is in this format, and is known to be."""
    data = data.encode() if isinstance(data, str) else data
    assert detected(data) == name
    return read_as(name, data)


def read_as(name: str, data: bytes) -> tuple[list[ImportedItem], list[Skipped]]:
    """The same without a look at the file first."""
    records = list(BY_NAME[name].read(io.BytesIO(data)))
    items = [record for record in records if isinstance(record, ImportedItem)]
    return items, [record for record in records if isinstance(record, Skipped)]


def items_of(name: str, data: bytes | str) -> list[ImportedItem]:
    items, skipped = read(name, data)
    assert skipped == []
    return items


def zipped(files: Mapping[str, str | bytes], *, packed: bool = True) -> bytes:
    method = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()

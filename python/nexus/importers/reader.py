"""The process in which an imported file is read: `services.imports.parse` starts and may kill it.

Standard input is the file; standard output takes a line of JSON for the format, one for each record
with its place in the file, and a last one that says how it ended.
"""

import json
import resource
import sys
import traceback
from collections.abc import Iterator
from typing import Any, BinaryIO

from nexus.importers.formats import FORMATS, detect
from nexus.importers.records import ImportedItem, InvalidFile, Skipped
from nexus.text import storable

MEMORY_BYTES = 512 * 1024 * 1024
CPU_SECONDS = 60
OUTPUT_BYTES = 1024 * 1024 * 1024
MOST_RECORDS = 250_000

_TOO_COMPLEX = "This file needs too much memory to be read here."
_TOO_MANY = f"This file has more than {MOST_RECORDS:,} entries. Split it and import the parts."


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_BYTES, OUTPUT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in read(sys.stdin.buffer):
        json.dump(line, sys.stdout)
        sys.stdout.write("\n")


def read(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """What there is to say about a file, each as it is found."""
    try:
        format = detect(file)
        if format is None:
            yield {"unknown": [format.label for format in FORMATS]}
            return
        yield {"format": format.name, "label": format.label}
        for number, record in enumerate(format.read(file), start=1):
            if number > MOST_RECORDS:
                yield {"invalid": _TOO_MANY, "whole": True}
                return
            yield _written(record)
        yield {"end": True}
    except InvalidFile as error:
        yield {"invalid": storable(str(error))}
    except (MemoryError, RecursionError):
        yield {"invalid": _TOO_COMPLEX}
    except Exception:
        yield {"defect": storable(traceback.format_exc(limit=20)[-4000:])}


def _written(record: ImportedItem | Skipped) -> dict[str, Any]:
    kind = "item" if isinstance(record, ImportedItem) else "skipped"
    return {kind: _storable(record.to_json())}


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(one) for one in value]
    if isinstance(value, dict):
        return {name: _storable(one) for name, one in value.items()}
    return value


if __name__ == "__main__":
    main()

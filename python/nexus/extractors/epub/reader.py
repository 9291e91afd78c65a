"""The process in which a book is read: `process` starts it and may kill it.

Standard input is the EPUB; one open file takes the pictures, and standard output the result: a line
of JSON about the book, then one for each fragment.
"""

import json
import os
import resource
import sys
import traceback
from typing import Any, BinaryIO

from nexus.extractors.epub.book import read_book
from nexus.extractors.epub.problems import BookError, TooComplexBook
from nexus.html.sanitize import SanitizationError
from nexus.zips.reader import MAX_UNPACKED, MIB

MEMORY_BYTES = 512 * MIB
CPU_SECONDS = 60
_TOO_LARGE = "This book needs too much memory to be read here."


def main() -> None:
    folder, pictures = sys.argv[1], int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_UNPACKED, MAX_UNPACKED))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(pictures, "wb") as spool:
        lines = _read(sys.stdin.buffer, spool, folder)
    for line in lines:
        json.dump(line, sys.stdout)
        sys.stdout.write("\n")


def _read(file: BinaryIO, spool: BinaryIO, folder: str) -> list[dict[str, Any]]:
    try:
        book = read_book(file, spool, folder)
    except BookError as error:
        return [_refused(error)]
    except SanitizationError as error:
        return [_refused(TooComplexBook(f"A document of this book cannot be read. {error}"))]
    except (MemoryError, RecursionError):
        return [_refused(TooComplexBook(_TOO_LARGE))]
    except Exception:
        return [{"defect": traceback.format_exc(limit=20)[-4000:]}]
    fragments = book.pop("fragments")
    return [{"book": book}, *fragments]


def _refused(error: BookError) -> dict[str, Any]:
    return {"refused": {"code": error.code, "message": str(error)}}


if __name__ == "__main__":
    main()

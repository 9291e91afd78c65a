"""Runs `reader` for one book, with limits on time and memory, so that a bomb costs its own job."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from nexus.child import bare_environment, wait_for_exit
from nexus.extractors.failures import FailureCode
from nexus.extractors.interface import ExtractionError, TransientExtractionError
from nexus.logging import get_logger

logger = get_logger(__name__)

_COMMAND: tuple[str, ...] = ("-m", "nexus.extractors.epub.reader")
_TOO_LONG = "This book is too complex: reading it takes too long."


@dataclass(frozen=True, slots=True)
class ReadBook:
    """What the process found; the pictures are in an open file."""

    book: dict[str, Any]
    fragments: list[dict[str, Any]]
    pictures: BinaryIO


@contextmanager
def reading(file: BinaryIO, *, folder: str, seconds: float) -> Iterator[ReadBook]:
    """The book in a file. Its pictures will be shown from below `folder`."""
    with tempfile.TemporaryFile() as pictures, tempfile.TemporaryFile() as result:
        file.seek(0)
        _run(file, pictures, result, folder, seconds)
        result.seek(0)
        lines = [json.loads(line) for line in result]
        yield ReadBook(_book(lines[0]), lines[1:], pictures)


def _run(file: BinaryIO, pictures: BinaryIO, result: BinaryIO, folder: str, seconds: float) -> None:
    number = pictures.fileno()
    process = subprocess.Popen(
        [sys.executable, "-P", *_COMMAND, folder, str(number)],
        stdin=file,
        stdout=result,
        pass_fds=[number],
        env=bare_environment(),
        start_new_session=True,
    )
    try:
        code = wait_for_exit(process, max(1.0, seconds))
    except subprocess.TimeoutExpired:
        # Its own limit counts the processor's time: this machine had none to spare.
        raise TransientExtractionError(code=FailureCode.JOB_TIMEOUT) from None
    finally:
        process.kill()
        process.wait()
    if code != 0:
        raise ending(code)


def ending(code: int) -> ExtractionError:
    """What a process that ended like this says about its book, or about us."""
    logger.warning("book_reader_died", code=code)
    if code in (-signal.SIGKILL, -signal.SIGTERM):
        message = "Reading this book was cut off."
        return TransientExtractionError(message, code=FailureCode.EXTRACTION_FAILED)
    if code == -signal.SIGXCPU:
        return ExtractionError(_TOO_LONG, code=FailureCode.FILE_TOO_COMPLEX)
    # Python or a parser in C that got no more memory.
    return ExtractionError(code=FailureCode.FILE_TOO_COMPLEX)


def _book(first: dict[str, Any]) -> dict[str, Any]:
    if "refused" in first:
        refused = first["refused"]
        raise ExtractionError(refused["message"], code=refused["code"])
    if "defect" in first:
        logger.error("book_reader_defect", trace=first["defect"])
        raise ExtractionError
    book: dict[str, Any] = first["book"]
    return book

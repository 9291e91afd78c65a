"""Runs `importers.reader` for one file, with limits on time and memory."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from nexus.child import bare_environment, wait_for_exit
from nexus.errors import InvalidRequestError, UnavailableError
from nexus.logging import get_logger

logger = get_logger(__name__)

_COMMAND = ("-m", "nexus.importers.reader")
# Its own limit counts the processor's time; this is for a machine that has none to spare.
_SECONDS = 150.0
_UNREADABLE = "This file could not be read to its end."


@contextmanager
def parsed(file: BinaryIO) -> Iterator[Iterator[dict[str, Any]]]:
    """The lines that the process wrote about a file, the first of which names its format."""
    with tempfile.TemporaryFile() as result:
        file.seek(0)
        _run(file, result)
        result.seek(0)
        yield _lines(result)


def _run(file: BinaryIO, result: BinaryIO) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", *_COMMAND],
        stdin=file,
        stdout=result,
        env=bare_environment(),
        start_new_session=True,
    )
    try:
        code = wait_for_exit(process, _SECONDS)
    except subprocess.TimeoutExpired:
        raise UnavailableError("Nexus is too busy to read this file. Try again later.") from None
    finally:
        process.kill()
        process.wait()
    if code == -signal.SIGXCPU:
        raise invalid("This file takes too long to be read. Split it and import the parts.")
    if code != 0:
        logger.warning("import_reader_died", code=code)
        raise invalid("This file is too large or too complex to be read here.")


def _lines(result: BinaryIO) -> Iterator[dict[str, Any]]:
    for line in result:
        found: dict[str, Any] = json.loads(line)
        if "defect" in found:
            logger.error("import_reader_defect", trace=found["defect"])
            found = {"invalid": _UNREADABLE}
        yield found


def invalid(reason: str) -> InvalidRequestError:
    return InvalidRequestError(reason, code="E_IMPORT_INVALID")

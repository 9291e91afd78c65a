"""The process manager outlives logs that cannot be written."""

import shutil
import subprocess
import sys
from pathlib import Path

from supervisor.loggers import LevelsByName, LogRecord

from nexus.supervisor.daemon import PatientFileHandler

# A device on which every write finds a full disk.
FULL = Path("/dev/full")


def line(text: str) -> LogRecord:
    return LogRecord(LevelsByName.INFO, text)


def test_a_line_that_cannot_be_written_is_dropped() -> None:
    program = """if True:
        import os
        from supervisor.loggers import LevelsByName, LogRecord
        from nexus.supervisor.daemon import PatientFileHandler
        handler = PatientFileHandler("/dev/full", maxBytes=0)
        for _ in range(3):
            handler.emit(LogRecord(LevelsByName.INFO, "lost"))
        os._exit(23)
    """
    with FULL.open("wb", buffering=0) as nowhere:
        done = subprocess.run([sys.executable, "-c", program], stderr=nowhere, check=False)
    assert done.returncode == 23, "it went on to the end"


def test_logging_goes_on_after_a_new_file_could_not_be_begun(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    handler = PatientFileHandler(str(folder / "part.log"), maxBytes=10)
    handler.setFormat("%(message)s\n")
    shutil.rmtree(folder)
    handler.emit(line("long enough for a new file"))
    handler.emit(line("there is no folder for it"))
    folder.mkdir()
    handler.emit(line("this line finds the folder"))
    handler.emit(line("there"))
    assert (folder / "part.log").read_text() == "there\n"
    handler.close()

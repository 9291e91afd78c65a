"""What can go wrong with a backup, in one line that says what to do."""

from pathlib import Path


class BackupError(Exception):
    """A backup cannot be made or restored."""


class DamagedArchive(BackupError):
    """The file is not a whole, unchanged archive."""


class ForeignArchive(BackupError):
    """The archive is not signed with this installation's key."""

    def __init__(self, key: Path) -> None:
        super().__init__(
            "This archive was not made by this installation, or was changed since. If you know "
            f"where it comes from, put a copy of the key of the installation that made it at {key},"
            " or restore it with --from-elsewhere."
        )

"""What can go wrong with a backup, said in one line that tells what to do."""


class BackupError(Exception):
    """A backup cannot be made or restored."""


class DamagedArchive(BackupError):
    """The file is not a whole, unchanged archive."""

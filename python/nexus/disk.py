"""Telling a full disk from everything else that goes wrong with files."""

import errno

# No room on the disk, or none left of the share that was granted.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def is_disk_full(error: OSError) -> bool:
    return error.errno in _FULL

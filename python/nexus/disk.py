"""Telling a full disk from everything else that goes wrong with files."""

import errno

# The disk is full, or the quota on it is used up.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def is_disk_full(error: OSError) -> bool:
    return error.errno in _FULL

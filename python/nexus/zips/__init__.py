"""Zip archives that strangers made, unpacked within limits."""

"""Why an archive, or an entry of one, cannot be read."""


class NotAZip(Exception):
    """Nothing in the file can be unpacked."""


class ZipTooLarge(Exception):
    """It is beyond a limit; the message says which."""


class UnreadableEntry(Exception):
    """A file inside is damaged, locked, or not there; the message names it."""

"""What text may hold, and what a name is."""

import re
import unicodedata

_NOT_STORABLE = re.compile("[\\x00\\ud800-\\udfff]")


def is_storable(text: str) -> bool:
    """Postgres text holds every character but NUL; lone surrogates are not characters at all."""
    return _NOT_STORABLE.search(text) is None


def collapse_name(name: str) -> str:
    """A name as people mean it: composed, no control characters, single spaces, no edges."""
    visible = "".join(
        " " if unicodedata.category(char) in {"Cc", "Zl", "Zp", "Zs"} else char
        for char in unicodedata.normalize("NFC", name)
    )
    return " ".join(visible.split())

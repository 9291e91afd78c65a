"""Names for downloads that no browser, shell or file system trips over."""

import unicodedata
from urllib.parse import quote

_FALLBACK = "download"
_MAX_CHARACTERS = 120
_MAX_EXTENSION = 12
_FORBIDDEN = set('/\\:*?"<>|')
# Control, invisible (bidi overrides among them), surrogate, private, unassigned, line separators.
_HIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def safe_filename(name: str) -> str:
    """The name without separators, control or invisible characters, at most 120 characters."""
    visible = (c for c in name if unicodedata.category(c) not in _HIDDEN_CATEGORIES)
    cleaned = "".join("_" if c in _FORBIDDEN else c for c in visible)
    cleaned = unicodedata.normalize("NFC", cleaned).strip(" .")
    stem, dot, extension = cleaned.rpartition(".")
    if dot and stem and len(extension) <= _MAX_EXTENSION:
        return f"{stem[: _MAX_CHARACTERS - len(extension) - 1]}.{extension}"
    return cleaned[:_MAX_CHARACTERS] or _FALLBACK


def content_disposition(filename: str) -> str:
    """`attachment` with the name twice: plain ASCII for old clients, RFC 8187 for the rest."""
    name = safe_filename(filename)
    return f"attachment; filename=\"{_ascii(name)}\"; filename*=UTF-8''{quote(name, safe='')}"


def _ascii(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    # NFKD can bring back a slash or a quote out of a compatibility character.
    plain = "".join("_" if c in _FORBIDDEN or c == "%" else c for c in plain).strip(" .")
    return plain or _FALLBACK

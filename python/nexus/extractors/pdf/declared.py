"""What a PDF declares about itself, where it says anything: many programs declare nonsense."""

import re
from typing import Any

from nexus.extractors.interface import Metadata
from nexus.extractors.web_article.metadata import validated
from nexus.text import collapse_name

_FILE_NAME = re.compile(
    r"\S*\.(?:pdf|docx?|odt|rtf|txt|tex|dvi|ps|eps|indd|qxd|qxp|pptx?|xlsx?|pages|key|md|html?|fm|wpd|cdr)",
    re.I,
)
_PROGRAM = re.compile(r"^(?:microsoft (?:office )?\w+|\w+ document) - .*", re.I)
_EMPTY_TITLE = re.compile(
    r"(?:untitled|no title|title|document|presentation|slide|page|scan(?:ned)?(?: document)?|print"
    r"|powerpoint presentation|powerpoint-präsentation|présentation powerpoint|book|layout"
    r"|unknown|unbenannt|sans titre|none|null|new|temp|draft|default|pdf|\W*)[\s\d_()-]*",
    re.I,
)
_NO_NAME = re.compile(
    r"(?:anonymous|unknown|author|admin(?:istrator)?|user|owner|root|guest|none|null|default"
    r"|microsoft office user|(?:hp|dell|lenovo|acer|asus)(?: user)?|\W*)\d*",
    re.I,
)
_GENERATED = re.compile(r"[\da-f_-]{12,}|\d+", re.I)


def declared_title(metadata: dict[str, Any]) -> str | None:
    """The title of the file if it is one; what it was uploaded as stays otherwise."""
    title = metadata.get("title")
    if not isinstance(title, str):
        return None
    title = collapse_name(title)
    says_nothing = (_FILE_NAME, _PROGRAM, _EMPTY_TITLE, _GENERATED)
    return None if any(pattern.fullmatch(title) for pattern in says_nothing) else title


def declared_metadata(metadata: dict[str, Any]) -> Metadata:
    authors = metadata.get("authors")
    names = [name for name in authors if _is_name(name)] if isinstance(authors, list) else []
    return validated(
        {
            "authors": names,
            "site_name": metadata.get("publisher"),
            "published_at": metadata.get("date"),
            "language": metadata.get("language"),
        },
        "",
    )


def _is_name(name: object) -> bool:
    return isinstance(name, str) and not _NO_NAME.fullmatch(name.strip())

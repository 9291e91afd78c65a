"""What the Node program finds in a PDF, put together from its lines."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class FoundPdf:
    pages: list[str] = field(default_factory=list)
    """The text of each."""
    html: list[str] = field(default_factory=list)
    """That of the text view, in pieces. Not sanitized."""
    outline: list[dict[str, Any]] = field(default_factory=list)
    """`label`, `page` (from 1; 0 if it leads nowhere), `offset` in the page, and `children`."""
    labels: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    """Not validated."""
    fingerprint: str = ""
    version: str = ""


def gather(lines: Iterable[dict[str, Any]]) -> FoundPdf:
    """All lines of a reply together."""
    found = FoundPdf()
    for line in lines:
        if "text" in line:
            found.pages.append(line["text"])
        elif "html" in line:
            found.html.append(line["html"])
        else:
            found.outline = line["outline"]
            found.labels = line["labels"] or []
            found.metadata = line["metadata"] or {}
            found.fingerprint = line["fingerprint"] or ""
            found.version = line["version"]
    return found

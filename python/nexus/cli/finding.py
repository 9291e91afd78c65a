"""What a check of `nexus doctor` finds."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Finding:
    """The state of one part, in a line, and how to fix it when it is broken."""

    state: Literal["good", "stopped", "broken"]
    part: str
    text: str
    fix: str = ""


def good(part: str, text: str) -> list[Finding]:
    return [Finding("good", part, text)]


def stopped(part: str, text: str) -> list[Finding]:
    """Not running, and not expected to be."""
    return [Finding("stopped", part, text)]


def broken(part: str, text: str, fix: str) -> list[Finding]:
    return [Finding("broken", part, text, fix)]

"""Every way in which the Node extractor may not bring an article.

IngestError
├── IngestTimeout        the page, or the extractor, took too long
├── IngestTooMuchMemory  the page needs more memory than its browser may take
├── IngestFailed         the page could not be fetched or read; the message says why
├── IngestInterrupted    a fault of ours: the extractor or its browser died, or stood still
└── IngestIsFile         the address leads to something that is no page
"""

from typing import Any


class IngestError(Exception):
    """An article that could not be extracted. The message is for people."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class IngestTimeout(IngestError):
    """The page, or the extractor, took too long."""


class IngestTooMuchMemory(IngestError):
    """The page needs more memory than its browser may take."""


class IngestFailed(IngestError):
    """The page could not be fetched or read; the message says why."""


class IngestInterrupted(IngestError):
    """The extractor, its browser or the connection to them was lost."""


class IngestIsFile(IngestError):
    """What is at the address is no page; it may be a file."""

    def __init__(self, message: str, url: str) -> None:
        super().__init__(message)
        self.url = url


_FAILURES: dict[Any, type[IngestError]] = {
    "timeout": IngestTimeout,
    "too_much_memory": IngestTooMuchMemory,
    "interrupted": IngestInterrupted,
}


def failure(code: Any, message: Any, url: Any = None) -> IngestError:
    """What a reply of the extractor reports."""
    if code == "is_file":
        return IngestIsFile(text_of(message), text_of(url))
    return _FAILURES.get(code, IngestFailed)(text_of(message))


def text_of(value: Any) -> str:
    """Text that can be stored, whatever the page contains or a broken extractor sends."""
    if not isinstance(value, str):
        raise TypeError(f"text expected, not {type(value).__name__}")
    return value.replace("\0", "").encode("utf-8", "replace").decode()

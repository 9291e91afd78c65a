"""Why a book cannot be read, in words for the person who added it."""

from nexus.extractors.failures import SENTENCES, FailureCode


class BookError(Exception):
    """The book itself is the reason."""

    code = FailureCode.EPUB_INVALID


class InvalidBook(BookError):
    """It is no EPUB, or one that is broken where it matters."""


class ProtectedBook(BookError):
    code = FailureCode.EPUB_DRM

    def __init__(self) -> None:
        super().__init__(SENTENCES[self.code])


class TooComplexBook(BookError):
    """It is beyond a limit."""

    code = FailureCode.FILE_TOO_COMPLEX

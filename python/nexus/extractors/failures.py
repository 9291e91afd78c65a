"""Why an item could not be read: every code there is, and the sentence that goes with it."""

from enum import StrEnum


class FailureCode(StrEnum):
    EXTRACTION_FAILED = "E_EXTRACTION_FAILED"
    EXTRACTOR_NOT_IMPLEMENTED = "E_EXTRACTOR_NOT_IMPLEMENTED"
    INGEST_FAILED = "E_INGEST_FAILED"
    INGEST_TIMEOUT = "E_INGEST_TIMEOUT"
    INGEST_TOO_MUCH_MEMORY = "E_INGEST_TOO_MUCH_MEMORY"
    SANITIZATION_FAILED = "E_SANITIZATION_FAILED"
    JOB_TIMEOUT = "E_JOB_TIMEOUT"
    TRANSCRIPT_UNAVAILABLE = "E_TRANSCRIPT_UNAVAILABLE"
    UPLOAD_FAILED = "E_UPLOAD_FAILED"
    PDF_PASSWORD = "E_PDF_PASSWORD"  # noqa: S105
    PDF_INVALID = "E_PDF_INVALID"
    EPUB_INVALID = "E_EPUB_INVALID"
    EPUB_DRM = "E_EPUB_DRM"
    FILE_TOO_COMPLEX = "E_FILE_TOO_COMPLEX"
    FILE_TOO_LARGE = "E_FILE_TOO_LARGE"
    STORAGE_FULL = "E_STORAGE_FULL"
    NO_SOURCE = "E_NO_SOURCE"


# The bytes themselves are the reason: they will be the same at the next try.
OF_THE_FILE_ITSELF = frozenset(
    {
        FailureCode.PDF_PASSWORD,
        FailureCode.PDF_INVALID,
        FailureCode.EPUB_INVALID,
        FailureCode.EPUB_DRM,
    }
)

# For those that mean the same each time; the others have a message of their own.
SENTENCES: dict[str, str] = {
    FailureCode.EXTRACTION_FAILED: "Something went wrong while reading this item. Try again.",
    FailureCode.JOB_TIMEOUT: "Reading this item took too long. Try again.",
    FailureCode.PDF_PASSWORD: (
        "This PDF is locked with a password. Remove the password, then upload the file again."
    ),
    FailureCode.PDF_INVALID: "This PDF is damaged and could not be opened.",
    FailureCode.EPUB_INVALID: "This file is not a valid EPUB.",
    FailureCode.EPUB_DRM: (
        "This book has copy protection (DRM), so only the shop's own apps can open it."
    ),
    FailureCode.FILE_TOO_COMPLEX: "This file has too many pages or parts to be read here.",
    FailureCode.NO_SOURCE: (
        "Only highlights were imported. Add the book, and they find their place in it."
    ),
    FailureCode.STORAGE_FULL: (
        "The server's disk is full, so the file was not saved. "
        "Ask the person who runs this server to free some space, then try again."
    ),
}

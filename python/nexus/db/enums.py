"""The closed sets of values that columns may hold."""

from enum import StrEnum


class MediaKind(StrEnum):
    WEB_ARTICLE = "web_article"
    EPUB = "epub"
    PDF = "pdf"
    VIDEO = "video"
    PODCAST_EPISODE = "podcast_episode"


class ProcessingStatus(StrEnum):
    PENDING = "pending"
    EXTRACTING = "extracting"
    READY_FOR_READING = "ready_for_reading"
    EMBEDDING = "embedding"
    READY = "ready"
    FAILED = "failed"


class FailureStage(StrEnum):
    UPLOAD = "upload"
    EXTRACT = "extract"
    TRANSCRIBE = "transcribe"
    EMBED = "embed"
    OTHER = "other"


class MembershipRole(StrEnum):
    ADMIN = "admin"
    MEMBER = "member"


class HighlightColor(StrEnum):
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PINK = "pink"
    PURPLE = "purple"


class UsageOperation(StrEnum):
    TRANSCRIBE_SECONDS = "TRANSCRIBE_SECONDS"
    LLM_TOKENS = "LLM_TOKENS"
    INGEST_URLS = "INGEST_URLS"


class Theme(StrEnum):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    SEPIA = "sepia"


class ReadingFont(StrEnum):
    SERIF = "serif"
    SANS = "sans"


class ReadingWidth(StrEnum):
    NARROW = "narrow"
    MEDIUM = "medium"
    WIDE = "wide"


class ReadingState(StrEnum):
    UNREAD = "unread"
    READING = "reading"
    FINISHED = "finished"


class ImportState(StrEnum):
    PREVIEW = "preview"
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"
    UNDONE = "undone"


class ImportOutcome(StrEnum):
    """What became of one line of an imported file."""

    WAITING = "waiting"
    ADDED = "added"
    EXISTING = "existing"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNDONE = "undone"


class UnplacedState(StrEnum):
    WAITING = "waiting"
    NOT_FOUND = "not_found"
    PLACED = "placed"
    GONE = "gone"

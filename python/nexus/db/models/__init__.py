"""All tables, imported here so that metadata is complete wherever one model is used."""

from nexus.db.base import Base
from nexus.db.models.account import Account, ApiToken, UserSession
from nexus.db.models.highlight import Annotation, DeletedHighlight, Highlight
from nexus.db.models.imports import BackgroundSite, Import, ImportRecord
from nexus.db.models.library import Library, LibraryMedia, Membership
from nexus.db.models.media import (
    Fragment,
    FragmentImage,
    Media,
    MediaAlias,
    MediaFile,
    MediaOutline,
    MediaPicture,
    PendingUpload,
)
from nexus.db.models.reading import ReadingPosition, ReadingPreferences, WaitingPosition
from nexus.db.models.save import RemovedMedia, SavedAddress
from nexus.db.models.search import SearchBacklog, SearchPassage
from nexus.db.models.shelf import ItemTag, ShelfItem, Tag
from nexus.db.models.unplaced import UnplacedHighlight
from nexus.db.models.usage import UsageRecord
from nexus.db.models.user import User

__all__ = [
    "Account",
    "Annotation",
    "ApiToken",
    "BackgroundSite",
    "Base",
    "DeletedHighlight",
    "Fragment",
    "FragmentImage",
    "Highlight",
    "Import",
    "ImportRecord",
    "ItemTag",
    "Library",
    "LibraryMedia",
    "Media",
    "MediaAlias",
    "MediaFile",
    "MediaOutline",
    "MediaPicture",
    "Membership",
    "PendingUpload",
    "ReadingPosition",
    "ReadingPreferences",
    "RemovedMedia",
    "SavedAddress",
    "SearchBacklog",
    "SearchPassage",
    "ShelfItem",
    "Tag",
    "UnplacedHighlight",
    "UsageRecord",
    "User",
    "UserSession",
    "WaitingPosition",
]

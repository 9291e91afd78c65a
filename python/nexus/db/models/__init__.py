"""All tables, imported here so that metadata is complete wherever one model is used."""

from nexus.db.base import Base
from nexus.db.models.account import Account, ApiToken, UserSession
from nexus.db.models.highlight import Annotation, DeletedHighlight, Highlight
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
from nexus.db.models.reading import ReadingPosition, ReadingPreferences
from nexus.db.models.save import RemovedMedia, SavedAddress
from nexus.db.models.usage import UsageRecord
from nexus.db.models.user import User

__all__ = [
    "Account",
    "Annotation",
    "ApiToken",
    "Base",
    "DeletedHighlight",
    "Fragment",
    "FragmentImage",
    "Highlight",
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
    "UsageRecord",
    "User",
    "UserSession",
]

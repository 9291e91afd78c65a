"""What can go wrong with stored files.

StorageError
├── InvalidPath             the path is not one Nexus makes, or something is in its way
├── ObjectNotFound          nothing is stored at the path
├── ObjectExists            something else is stored at the path; objects are written once
├── UploadRefused           the bytes sent are not the bytes announced
│   ├── UploadTooLarge
│   └── UploadIncomplete
├── SignatureInvalid        the signed URL is not one this installation made
├── SignatureExpired        it was, but its time is over
└── StorageUnavailable      the disk or the service fails; trying later may help
    ├── StorageFull             there is no room: an operator must make some
    └── StorageMisconfigured    trying later will not help: an operator must act
"""


class StorageError(Exception):
    """Base of everything the storage package raises on purpose."""


class InvalidPath(StorageError):
    """The path is not one that Nexus makes, or a file is where a folder must be."""


class ObjectNotFound(StorageError):
    """Nothing is stored at the path."""


class ObjectExists(StorageError):
    """Other bytes are already stored at the path; delete them first."""


class UploadRefused(StorageError):
    """The bytes sent are not the bytes announced; nothing was stored."""


class UploadTooLarge(UploadRefused):
    """More bytes came than were announced."""


class UploadIncomplete(UploadRefused):
    """Fewer bytes came than were announced, or they stopped coming."""


class SignatureInvalid(StorageError):
    """The URL was not signed by this installation for this request."""


class SignatureExpired(StorageError):
    """The URL was signed by this installation, and its time is over."""


class StorageUnavailable(StorageError):
    """The disk or the storage service fails right now."""


class StorageFull(StorageUnavailable):
    """The disk has no room left."""


class StorageMisconfigured(StorageUnavailable):
    """The storage works, but not with this configuration."""

"""What can go wrong with stored files.

StorageError
├── InvalidPath             the path is not one Nexus makes, or something is in its way
├── ObjectNotFound          nothing is stored at the path
├── ObjectExists            something else is stored at the path; objects are written once
├── RangeBehindEnd          the object ends before the range starts
├── UploadRefused           the bytes sent are not the bytes announced
│   ├── UploadTooLarge
│   └── UploadIncomplete
├── ObjectTooLarge          the storage has a limit of its own, and this is above it
├── SignatureInvalid        the signed URL is not one this installation made
├── SignatureExpired        it was, but its time is over
└── StorageUnavailable      the disk or the service fails; trying later may help
    ├── StorageFull             there is no room: an operator must make some
    └── StorageMisconfigured    trying later will not help: an operator must act
        ├── WrongAddress            what responds at the address is not a storage service
        ├── WrongKey                the service refuses the key
        ├── WrongBucket             the service has no such bucket, or hides it from this key
        └── PublicBucket            anyone can read the bucket
"""


class StorageError(Exception):
    """Base of everything the storage package raises on purpose."""


class InvalidPath(StorageError):
    """The path is not one that Nexus makes, or a file is where a folder must be."""


class ObjectNotFound(StorageError):
    """Nothing is stored at the path."""


class ObjectExists(StorageError):
    """Other bytes are already stored at the path; delete them first."""


class RangeBehindEnd(StorageError):
    """The object ends before the range starts."""


class UploadRefused(StorageError):
    """The bytes sent are not the bytes announced; nothing was stored."""


class UploadTooLarge(UploadRefused):
    """More bytes came than were announced."""


class UploadIncomplete(UploadRefused):
    """Fewer bytes came than were announced, or they stopped coming."""


class ObjectTooLarge(StorageError):
    """The object is above the storage's own limit, in bytes where the storage reports it."""

    def __init__(self, limit_bytes: int | None = None) -> None:
        self.limit_bytes = limit_bytes
        limit = "" if limit_bytes is None else f"; the storage accepts {in_megabytes(limit_bytes)}"
        super().__init__(f"the file is too large{limit}")


def in_megabytes(size_bytes: int) -> str:
    """A limit as people read it, never more than it is: `50 MB`, `0.5 MB`."""
    tenths = size_bytes * 10 // (1024 * 1024)
    return f"{tenths // 10} MB" if tenths % 10 == 0 else f"{tenths / 10:.1f} MB"


class SignatureInvalid(StorageError):
    """The URL was not signed by this installation for this request."""


class SignatureExpired(StorageError):
    """The URL was signed by this installation, and has expired."""


class StorageUnavailable(StorageError):
    """The disk or the storage service fails right now."""


class StorageFull(StorageUnavailable):
    """The disk has no room left."""


class StorageMisconfigured(StorageUnavailable):
    """The storage works, but not with this configuration."""


class WrongAddress(StorageMisconfigured):
    """What responds at the address is not a storage service."""


class WrongKey(StorageMisconfigured):
    """The service refuses the key."""


class WrongBucket(StorageMisconfigured):
    """The service has no such bucket, or hides it from this key."""


class PublicBucket(StorageMisconfigured):
    """Anyone can read the bucket."""

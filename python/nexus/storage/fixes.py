"""How an operator fixes what is wrong with the storage, in one line."""

from nexus.storage.errors import (
    PublicBucket,
    StorageError,
    StorageFull,
    StorageMisconfigured,
    StorageUnavailable,
    WrongAddress,
    WrongBucket,
    WrongKey,
)

_FIXES: dict[type[StorageError], str] = {
    WrongAddress: "set NEXUS_SUPABASE_URL to the project's URL, like https://abc.supabase.co",
    WrongKey: "set NEXUS_SUPABASE_SERVICE_KEY to the project's secret (service_role) key",
    WrongBucket: "create that bucket in Supabase, private, or correct NEXUS_SUPABASE_BUCKET; "
    "the key must be the secret (service_role) one, which sees every bucket",
    PublicBucket: "edit the bucket in Supabase and turn off “Public bucket”",
    StorageMisconfigured: "correct the NEXUS_SUPABASE_… settings",
    StorageFull: "free some space on the disk of the file store",
}


def how_to_fix(error: StorageError) -> str:
    """What to do about an error of the storage."""
    if isinstance(error, StorageUnavailable):
        return _FIXES.get(type(error), "start the storage, or check the network to it")
    return "see the logs of the storage"

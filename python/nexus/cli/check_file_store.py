"""Checks of the file store: that it is reachable, private and large enough, and stores files.

Clients are imported where they are used: `nexus up` shares this command line and should not wait
for them.
"""

from contextlib import closing, suppress
from typing import TYPE_CHECKING
from uuid import uuid4

from nexus.cli.finding import Finding, broken, good, stopped
from nexus.config import Settings

if TYPE_CHECKING:
    from nexus.storage.supabase import SupabaseStorage
    from nexus.storage.supabase_bucket import Bucket

_PART = "File store"
_TRIAL = b"%PDF-1.7 written and deleted by nexus doctor"


def file_store(settings: Settings) -> list[Finding]:
    """Whether uploaded files can be stored, and how to fix it if not."""
    from nexus.storage.errors import StorageError
    from nexus.storage.fixes import how_to_fix

    try:
        return _supabase(settings) if settings.storage == "supabase" else _local(settings)
    except StorageError as error:
        return broken(_PART, str(error), how_to_fix(error))


def _local(settings: Settings) -> list[Finding]:
    from nexus.storage.local import LocalStorage

    folder = settings.data_dir / "storage"
    if not folder.exists():
        return stopped(_PART, f"{folder} is created with the first upload")
    LocalStorage(folder, secret="").check()
    return good(_PART, f"{folder}, a file can be written")


def _supabase(settings: Settings) -> list[Finding]:
    from nexus.storage.supabase import SupabaseStorage

    with closing(SupabaseStorage.from_settings(settings)) as storage:
        bucket = storage.bucket()
        where = f"bucket {settings.supabase_bucket} at {settings.supabase_url}"
        return [
            *good(_PART, f"{where}, the key is accepted"),
            *_privacy(bucket),
            *_types(bucket),
            *_pictures(bucket),
            *_limit(bucket),
            *_round_trip(storage, settings.storage_prefix),
        ]


def _privacy(bucket: "Bucket") -> list[Finding]:
    from nexus.storage.errors import PublicBucket
    from nexus.storage.fixes import how_to_fix

    if bucket.public:
        text = "the bucket is public: anyone who learns a path can read the file"
        return broken(f"{_PART}, privacy", text, how_to_fix(PublicBucket()))
    return good(f"{_PART}, privacy", "the bucket is private")


def _types(bucket: "Bucket") -> list[Finding]:
    from nexus.services.file_kinds import all_file_types

    refused = [kind for kind in all_file_types() if not bucket.accepts(kind.content_type)]
    if refused:
        names = " and ".join(kind.name for kind in refused)
        types = ", ".join(kind.content_type for kind in refused)
        text = f"the bucket does not accept {names} files"
        return broken(f"{_PART}, types", text, f"add to its allowed MIME types: {types}")
    return good(f"{_PART}, types", "the bucket accepts PDF and EPUB files")


def _pictures(bucket: "Bucket") -> list[Finding]:
    from nexus.picture_types import PICTURE_TYPES

    if all(map(bucket.accepts, PICTURE_TYPES)):
        return []
    text = "the bucket does not accept pictures, which books have"
    return broken(f"{_PART}, pictures", text, "add to its allowed MIME types: image/*")


def _limit(bucket: "Bucket") -> list[Finding]:
    from nexus.services.storage_limits import largest_upload, limit_problem

    part, wanted = f"{_PART}, file size", largest_upload()
    problem = limit_problem(bucket.limit_bytes)
    if problem:
        fix = (
            f"raise the bucket's file size limit to {wanted}; where Supabase refuses that, raise "
            "the project's limit first (Storage, Settings, or FILE_SIZE_LIMIT if you host it)"
        )
        return broken(part, problem, fix)
    if bucket.limit_bytes is None:
        text = "the bucket has no limit of its own, and the project's cannot be read from here"
        fix = f"set the bucket's limit to {wanted}: Supabase refuses that if the project's is lower"
        return [Finding("stopped", part, text, fix)]
    return good(part, f"{wanted} and more")


def _round_trip(storage: "SupabaseStorage", prefix: str) -> list[Finding]:
    """Write, read and delete a small file, as an upload and its removal would."""
    from nexus.storage.errors import StorageError
    from nexus.storage.fixes import how_to_fix
    from nexus.storage.paths import split_prefix

    part, step = f"{_PART}, trial", "written"
    path = "/".join([*split_prefix(prefix), "doctor", str(uuid4()), "trial.pdf"])
    try:
        storage.put(path, content_type="application/pdf", size_bytes=len(_TRIAL), chunks=[_TRIAL])
        step = "read"
        same = b"".join(storage.open_stream(path)) == _TRIAL
        step = "deleted"
        storage.delete(path)
        gone = storage.stat(path) is None
    except StorageError as error:
        with suppress(StorageError):
            storage.delete(path)
        text = f"a small file could not be {step}: {error}"
        return broken(part, text, how_to_fix(error))
    if not same or not gone:
        text = (
            "different bytes were read back"
            if not same
            else "it is still there after being deleted"
        )
        return broken(
            part, f"a small file was written, but {text}", "check proxies and caches on the way"
        )
    return good(part, "a small file was written, read and deleted")

"""Where original files live: on this machine's disk or in Supabase Storage, behind one Protocol."""

import os

from nexus.config import Settings
from nexus.storage.local import LocalStorage
from nexus.storage.protocol import StorageClient
from nexus.storage.supabase import SupabaseStorage

__all__ = ["StorageClient", "get_storage_client"]

_clients: dict[tuple[object, ...], StorageClient] = {}


def get_storage_client(settings: Settings) -> StorageClient:
    """The storage of this process, made once for each configuration."""
    key = (
        os.getpid(),  # a forked worker must not share its parent's connections
        settings.storage,
        settings.data_dir,
        settings.storage_secret,
        settings.supabase_url,
        settings.supabase_service_key,
        settings.supabase_bucket,
        settings.storage_prefix,
    )
    if key not in _clients:
        _clients.setdefault(key, _make(settings))
    return _clients[key]


def _make(settings: Settings) -> StorageClient:
    if settings.storage == "supabase":
        return SupabaseStorage.from_settings(settings)
    return LocalStorage.from_settings(settings)

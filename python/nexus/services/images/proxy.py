"""One image: from the cache, or fetched, checked and kept."""

from contextlib import suppress
from typing import BinaryIO

from sqlalchemy.orm import Session

from nexus.config import Settings
from nexus.images.cache import CachedImage, ImageCache
from nexus.images.errors import ImageFetchFailedError
from nexus.images.fetch import FOR_A_READER, FetchLimits, check_image_url, fetch_image
from nexus.images.inspect import image_form
from nexus.services.images.sizes import record_size


def create_image_cache(settings: Settings) -> ImageCache:
    return ImageCache(settings.data_dir / "images", budget_bytes=settings.image_cache_bytes)


def serve_image(
    session: Session, settings: Settings, cache: ImageCache, *, url: str
) -> tuple[CachedImage, BinaryIO]:
    """The image at an address for a reader, opened, so that trimming the cache cannot remove it."""
    for _ in range(2):
        image, fetched = get_image(settings, cache, url=url)
        if fetched:
            # The next reader of the article knows its size from the start.
            record_size(session, url, image.form)
        with suppress(FileNotFoundError):
            return image, image.path.open("rb")
    raise ImageFetchFailedError("there is no space to store it")


def get_image(
    settings: Settings, cache: ImageCache, *, url: str, limits: FetchLimits = FOR_A_READER
) -> tuple[CachedImage, bool]:
    """The image, and whether it had to be fetched. Blocks for as long as that takes."""
    address = check_image_url(url, settings)
    found = cache.find(address)
    if found is not None:
        return found, False
    body = fetch_image(address, settings, limits)
    return cache.add(address, body, form=image_form(body)), True

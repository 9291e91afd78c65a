"""One image: from the cache, or fetched, checked and kept."""

from nexus.config import Settings
from nexus.services.images.cache import CachedImage, ImageCache
from nexus.services.images.fetch import check_image_url, fetch_image
from nexus.services.images.inspect import image_content_type


def create_image_cache(settings: Settings) -> ImageCache:
    return ImageCache(settings.data_dir / "images", budget_bytes=settings.image_cache_bytes)


def get_image(settings: Settings, cache: ImageCache, *, url: str) -> CachedImage:
    """The image at an address. Blocks for as long as the fetch may take."""
    address = check_image_url(url, settings)
    found = cache.find(address)
    if found is not None:
        return found
    body = fetch_image(address, settings)
    return cache.add(address, body, content_type=image_content_type(body))

"""What an image is, by its bytes alone."""

from io import BytesIO

from PIL import Image, UnidentifiedImageError

from nexus.errors import TooLargeError
from nexus.services.images.errors import UnsupportedImageError

MAX_SIDE = 4096

# Pillow warns about and refuses huge pictures by itself; our own limit, checked on the header
# before anything is decoded, is stricter.
Image.MAX_IMAGE_PIXELS = None

_CONTENT_TYPES = {
    "AVIF": "image/avif",
    "BMP": "image/bmp",
    "GIF": "image/gif",
    "ICO": "image/x-icon",
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "WEBP": "image/webp",
}


def image_content_type(body: bytes) -> str:
    """The type of a raster image; raises for anything else, and for one with too many pixels."""
    try:
        with Image.open(BytesIO(body), formats=tuple(_CONTENT_TYPES)) as image:
            width, height = image.size
            kind = image.format or ""
    except UnidentifiedImageError:
        raise UnsupportedImageError from None
    except Exception:
        # Decoders meet hostile bytes here and fail in many ways; none of them is our defect.
        raise UnsupportedImageError from None
    if width > MAX_SIDE or height > MAX_SIDE:
        raise TooLargeError(
            f"This image has more than {MAX_SIDE} × {MAX_SIDE} pixels.", code="E_IMAGE_TOO_LARGE"
        )
    return _CONTENT_TYPES[kind]

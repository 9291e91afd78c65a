"""What an image is, by its bytes alone."""

from dataclasses import dataclass
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


# EXIF orientations that turn a picture on its side, as a browser does when it shows it.
_ORIENTATION = 0x0112
_ON_ITS_SIDE = frozenset({5, 6, 7, 8})


@dataclass(frozen=True, slots=True)
class ImageForm:
    """A raster image's type, and its size as a browser shows it."""

    content_type: str
    width: int
    height: int


def image_form(body: bytes) -> ImageForm:
    """What a raster image is; raises for anything else, and for one with too many pixels."""
    try:
        with Image.open(BytesIO(body), formats=tuple(_CONTENT_TYPES)) as image:
            width, height = image.size
            kind = image.format or ""
            if kind == "JPEG" and image.getexif().get(_ORIENTATION) in _ON_ITS_SIDE:
                width, height = height, width
    except UnidentifiedImageError:
        raise UnsupportedImageError from None
    except Exception:
        # Decoders meet hostile bytes here and fail in many ways; none of them is our defect.
        raise UnsupportedImageError from None
    if width > MAX_SIDE or height > MAX_SIDE:
        raise TooLargeError(
            f"This image has more than {MAX_SIDE} × {MAX_SIDE} pixels.", code="E_IMAGE_TOO_LARGE"
        )
    return ImageForm(_CONTENT_TYPES[kind], width, height)

"""What an image is, by its bytes alone."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

from nexus.errors import TooLargeError
from nexus.images.avif import avif_size, is_avif
from nexus.images.errors import UnsupportedImageError
from nexus.images.headers import (
    PNG_SIGNATURE,
    Body,
    Size,
    bmp_size,
    gif_size,
    ico_size,
    jpeg_size,
    png_size,
    webp_size,
)

MAX_SIDE = 4096


@dataclass(frozen=True, slots=True)
class PixelLimits:
    """How large an image may be that a browser is to decode."""

    side: int
    pixels: int


FROM_THE_WEB = PixelLimits(side=MAX_SIDE, pixels=MAX_SIDE * MAX_SIDE)


@dataclass(frozen=True, slots=True)
class ImageForm:
    """A raster image's type, and its size as a browser shows it."""

    content_type: str
    width: int
    height: int


def image_form(body: Body, limits: PixelLimits = FROM_THE_WEB) -> ImageForm:
    """What a raster image is; raises for anything else, and for one with too many pixels.

    Only headers are read: a decoder would unpack whatever a site sends.
    """
    try:
        content_type, size_of = _format_of(body)
        width, height = size_of(body)
    except (IndexError, ValueError, struct.error):
        raise UnsupportedImageError from None
    if width <= 0 or height <= 0:
        raise UnsupportedImageError
    if max(width, height) > limits.side or width * height > limits.pixels:
        raise TooLargeError(
            f"This image has more than {limits.side} × {limits.side} pixels.",
            code="E_IMAGE_TOO_LARGE",
        )
    return ImageForm(content_type, width, height)


def _format_of(body: Body) -> tuple[str, Callable[[Body], Size]]:
    if body.startswith(PNG_SIGNATURE):
        return "image/png", png_size
    if body.startswith(b"\xff\xd8\xff"):
        return "image/jpeg", jpeg_size
    if body.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif", gif_size
    if body.startswith(b"RIFF") and body[8:12] == b"WEBP":
        return "image/webp", webp_size
    if body[4:8] == b"ftyp" and is_avif(body):
        return "image/avif", avif_size
    if body.startswith(b"BM"):
        return "image/bmp", bmp_size
    if body.startswith(b"\0\0\1\0"):
        return "image/x-icon", ico_size
    raise ValueError("none that we know")

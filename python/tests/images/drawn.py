"""Small real images of every format, drawn by Pillow."""

from io import BytesIO
from typing import Any

from PIL import Image

SIZE = (37, 21)


def drawn(kind: str, size: tuple[int, int] = SIZE, **options: Any) -> bytes:
    body = BytesIO()
    Image.new("RGB", size, "teal").save(body, kind, **options)
    return body.getvalue()


def turned(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def _several(**options: Any) -> dict[str, Any]:
    return {"save_all": True, "append_images": [Image.new("RGB", SIZE, "red")], **options}


DRAWN: dict[str, tuple[str, bytes]] = {
    "PNG": ("image/png", drawn("PNG")),
    "animated PNG": ("image/png", drawn("PNG", **_several())),
    "JPEG": ("image/jpeg", drawn("JPEG")),
    "progressive JPEG": ("image/jpeg", drawn("JPEG", progressive=True)),
    "JPEG with a comment": ("image/jpeg", drawn("JPEG", comment=b"\xff\xc0" * 1000)),
    "multi-picture JPEG": (
        "image/jpeg",
        drawn("MPO", save_all=True, append_images=[Image.new("RGB", (90, 5))]),
    ),
    "GIF": ("image/gif", drawn("GIF")),
    "animated GIF": ("image/gif", drawn("GIF", **_several(loop=0, comment=b"x" * 700))),
    "WebP": ("image/webp", drawn("WEBP")),
    "lossless WebP": ("image/webp", drawn("WEBP", lossless=True)),
    "extended WebP": ("image/webp", drawn("WEBP", exif=turned(1))),
    "animated WebP": ("image/webp", drawn("WEBP", **_several())),
    "AVIF": ("image/avif", drawn("AVIF")),
    "animated AVIF": ("image/avif", drawn("AVIF", **_several())),
    "BMP": ("image/bmp", drawn("BMP")),
    "ICO": ("image/x-icon", drawn("ICO", sizes=[SIZE])),
    "ICO of bitmaps": ("image/x-icon", drawn("ICO", sizes=[SIZE], bitmap_format="bmp")),
}

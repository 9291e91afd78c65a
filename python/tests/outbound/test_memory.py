"""Whatever is sent to us, a request costs no more memory than its limits allow."""

import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.outbound.hostile import GZIP, MIB, RAW, ZLIB, Answer, HostileSite, endless, page, zeros

pytestmark = pytest.mark.heavy

# Above the process before its first request. An image of 10 MiB is held once while it is fetched,
# and written from there; the rest is what the first request loads.
ALLOWED = 32 * MIB
BOMB = 256 * MIB
PNG_HEAD = b"\x89PNG\r\n\x1a\n"
IMAGE = "Content-Type: image/png"

Fetch = Callable[[str, str], tuple[str, int]]


@pytest.fixture(scope="module")
def site() -> Iterator[HostileSite]:
    # They take a while to make, and a client does not wait long.
    for window in (GZIP, ZLIB, RAW):
        zeros(BOMB, window)
    site = HostileSite(PAGES)
    yield site
    site.close()


@pytest.fixture(scope="module")
def fetch() -> Iterator[Fetch]:
    """Another process, so that what the server holds is not counted."""
    script = Path(__file__).with_name("fetching_process.py")
    command = [sys.executable, str(script)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]

        def ask(way: str, url: str) -> tuple[str, int]:
            process.stdin.write(json.dumps([way, url]) + "\n")
            process.stdin.flush()
            outcome, peak = json.loads(process.stdout.readline())
            return outcome, peak

        yield ask


def chunk(name: bytes, content: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + checksum


def png(side: int, pixels: bytes) -> bytes:
    """A grey picture with these compressed pixels."""
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return PNG_HEAD + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def ico(picture: bytes) -> bytes:
    return b"\0\0\1\0\1\0" + struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(picture), 22) + picture


def drawn(kind: str, size: tuple[int, int] = (40, 30)) -> bytes:
    body = BytesIO()
    Image.new("RGB", size, "teal").save(body, kind)
    return body.getvalue()


def patched(body: bytes, at: int, new: bytes) -> bytes:
    return body[:at] + new + body[at + len(new) :]


def image(make: Callable[[], bytes]) -> Answer:
    """Made when it is asked for: some take seconds."""

    def answer() -> Iterator[bytes]:
        body = make()
        yield from page(IMAGE, f"Content-Length: {len(body)}", body=[body])()

    return answer


def gzipped(
    *headers: str, window: int = GZIP, encoding: str = "gzip", status: str = "200 OK"
) -> Answer:
    def answer() -> Iterator[bytes]:
        bomb = zeros(BOMB, window)
        size = (f"Content-Length: {len(bomb)}", f"Content-Encoding: {encoding}")
        yield from page(*headers, *size, body=[bomb], status=status)()

    return answer


HUGE = struct.pack(">I", 60_000)
AVIF = drawn("AVIF")
LOSSLESS = b"RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0\x2f" + b"\xff" * 23
CANVAS = b"RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0" + b"\xfe\x3f\0" * 2 + bytes(30)
TEXT_BOMB = PNG_HEAD + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
IMAGES: dict[str, tuple[Answer, str]] = {
    "gzip redirect": (
        gzipped("Location: /fine", status="302 Found"),
        "ok",
    ),
    "gzip redirects": (gzipped("Location: /gzip-redirects", status="302 Found"), "FETCH_FAILED"),
    "gzip": (gzipped(IMAGE), "TOO_LARGE"),
    "deflate": (gzipped(IMAGE, window=ZLIB, encoding="deflate"), "TOO_LARGE"),
    "raw deflate": (gzipped(IMAGE, window=RAW, encoding="deflate"), "TOO_LARGE"),
    "brotli": (gzipped(IMAGE, encoding="br"), "FETCH_FAILED"),
    "zstd": (gzipped(IMAGE, encoding="zstd"), "FETCH_FAILED"),
    "gzip twice": (gzipped(IMAGE, encoding="gzip, gzip"), "FETCH_FAILED"),
    "gzip not found": (gzipped(IMAGE, status="404 No"), "FETCH_FAILED"),
    "endless headers": (endless(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000), "FETCH_FAILED"),
    "endless header": (endless(b"HTTP/1.1 200 OK\r\nX: ", b"y" * 65536), "FETCH_FAILED"),
    "endless interim": (endless(b"", b"HTTP/1.1 100 Go on\r\n\r\n" * 1000), "FETCH_FAILED"),
    "endless body": (
        endless(f"HTTP/1.1 200 OK\r\n{IMAGE}\r\n\r\n".encode(), bytes(MIB)),
        "TOO_LARGE",
    ),
    "length too long": (
        page(IMAGE, "Content-Length: 99999999999", body=[drawn("PNG")]),
        "TOO_LARGE",
    ),
    "length too short": (page(IMAGE, "Content-Length: 9", body=[drawn("PNG")]), "UNSUPPORTED"),
    "whole image": (image(lambda: drawn("PNG") + bytes(10 * MIB - 1024)), "ok"),
    "png in ico": (image(lambda: ico(png(16_000, zeros(BOMB, ZLIB)))), "TOO_LARGE"),
    "small png in ico": (image(lambda: ico(png(4096, zeros(17 * MIB, ZLIB)))), "ok"),
    "bitmap in ico": (
        image(lambda: ico(struct.pack("<Iii", 40, 30_000, 60_000) + bytes(28))),
        "TOO_LARGE",
    ),
    "png": (image(lambda: png(16_000, zeros(BOMB, ZLIB))), "TOO_LARGE"),
    "png header": (image(lambda: png(60_000, b"")), "TOO_LARGE"),
    "png text": (
        image(
            lambda: TEXT_BOMB + chunk(b"zTXt", b"k\0\0" + zeros(BOMB, ZLIB)) + chunk(b"IEND", b"")
        ),
        "ok",
    ),
    "gif": (image(lambda: patched(drawn("GIF"), 6, b"\xff" * 4)), "TOO_LARGE"),
    "webp": (image(lambda: LOSSLESS), "TOO_LARGE"),
    "animated webp": (image(lambda: CANVAS), "TOO_LARGE"),
    "avif": (image(lambda: patched(AVIF, AVIF.index(b"ispe") + 8, HUGE * 2)), "TOO_LARGE"),
    "jpeg": (
        image(lambda: patched(drawn("JPEG"), drawn("JPEG").index(b"\xff\xc0") + 5, b"\xff" * 4)),
        "TOO_LARGE",
    ),
    "bmp": (image(lambda: patched(drawn("BMP"), 18, b"\xff\xff\xff\x0f" * 2)), "TOO_LARGE"),
}
SERVICES: dict[str, tuple[str, Answer, str]] = {
    "keys": ("jwks", gzipped(), "KeysUnavailable"),
    "keys redirect": ("jwks", gzipped("Location: /fine", status="302 F"), "KeysUnavailable"),
    "keys endless": ("jwks", endless(b"HTTP/1.1 200 OK\r\n\r\n", bytes(MIB)), "KeysUnavailable"),
    "keys nested": ("jwks", page(body=[b'{"keys":' + b"[" * 250_000]), "KeysUnavailable"),
    "keys many": (
        "jwks",
        page(body=[b'{"keys":[' + b"{}," * 80_000 + b"{}]}"]),
        "KeysUnavailable",
    ),
    "json": ("supabase", gzipped(), "StorageUnavailable"),
    "json redirect": ("supabase", gzipped("Location: /", status="302 F"), "WrongAddress"),
    "json failure": ("supabase", gzipped(status="500 Oops"), "StorageUnavailable"),
    "json nested": ("supabase", page(body=[b"[" * 900_000]), "WrongAddress"),
    "file": ("supabase-file", gzipped(), "ok"),
    "file failure": ("supabase-file", gzipped(status="400 No"), "WrongAddress"),
    "file endless": (
        "supabase-file",
        endless(b"HTTP/1.1 200 OK\r\n\r\n", bytes(MIB)),
        "StorageUnavailable",
    ),
}
RESOURCES = {
    "supabase": "/storage/v1/object/info/bucket/media/x.pdf",
    "supabase-file": "/storage/v1/object/authenticated/bucket/media/x.pdf",
}


def path_of(name: str) -> str:
    return "/" + name.replace(" ", "-")


PAGES: dict[str, Answer] = {
    "/fine": image(lambda: drawn("PNG")),
    **{path_of(name): answer for name, (answer, _) in IMAGES.items()},
    **{
        path_of(name) + RESOURCES.get(way, ""): answer
        for name, (way, answer, _) in SERVICES.items()
    },
}


@pytest.mark.parametrize("name", list(IMAGES))
def test_images(site: HostileSite, fetch: Fetch, name: str) -> None:
    outcome, peak = fetch("image", site.origin + path_of(name))
    assert outcome.removeprefix("E_IMAGE_") == IMAGES[name][1]
    assert peak < ALLOWED, f"{peak / MIB:.1f} MiB"


@pytest.mark.parametrize("name", list(SERVICES))
def test_services(site: HostileSite, fetch: Fetch, name: str) -> None:
    way, _, expected = SERVICES[name]
    outcome, peak = fetch(way, site.origin + path_of(name))
    assert outcome == expected
    assert peak < ALLOWED, f"{peak / MIB:.1f} MiB"

import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nexus.storage.errors import InvalidPath
from nexus.storage.paths import (
    content_type_of,
    object_path,
    required_prefix,
    split_path,
    split_prefix,
)

MEDIA_ID = uuid.UUID("6f1c1a52-3c43-4f0e-9b0a-0d6b8e5f7a11")

HOSTILE = [
    "",
    "/",
    ".",
    "..",
    "../x",
    "x/..",
    "x/../y",
    "x/./y",
    "/x",
    "x/",
    "x//y",
    "~/x",
    ".hidden",
    "x/.tmp/y",
    "x\\y",
    "..\\x",
    "C:\\x",
    "C:/x",
    "x\x00.pdf",
    "x\n",
    "x\r\ny",
    "x y",
    "%2e%2e/x",
    "..%2fx",
    "%2e%2e%2fx",
    "..%252fx",
    "x%00",
    "%c0%ae%c0%ae/x",
    "/etc/passwd",
    ".tmp/x.part",
    "\uff0e\uff0e/x",
    "x\u2215y",
    "\u202ex",
    "é.pdf",
    "x?y",
    "x#y",
    "x;y",
    "x:y",
    "-rf",
    "a" * 129,
    "/".join(["a"] * 17),
]


@pytest.mark.parametrize("path", HOSTILE)
def test_hostile_paths_are_refused(path: str) -> None:
    with pytest.raises(InvalidPath):
        split_path(path)


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("", f"media/{MEDIA_ID}/original.pdf"),
        ("test_runs/run-1/", f"test_runs/run-1/media/{MEDIA_ID}/original.pdf"),
        ("test_runs/run-1", f"test_runs/run-1/media/{MEDIA_ID}/original.pdf"),
    ],
)
def test_object_path(prefix: str, expected: str) -> None:
    assert object_path(MEDIA_ID, "pdf", prefix=prefix) == expected
    assert split_path(expected) == tuple(expected.split("/"))


@pytest.mark.parametrize("ext", ["", ".pdf", "PDF", "p/df", "../x", "pdf\n", "a" * 9, "p df"])
def test_hostile_extensions_are_refused(ext: str) -> None:
    with pytest.raises(InvalidPath):
        object_path(MEDIA_ID, ext, prefix="")


@pytest.mark.parametrize("prefix", ["/", "//", "../", "/x", "x//", ".x/"])
def test_hostile_prefixes_are_refused(prefix: str) -> None:
    with pytest.raises(InvalidPath):
        split_prefix(prefix)


def test_an_empty_prefix_lists_but_never_deletes() -> None:
    assert split_prefix("") == ()
    for prefix in ("", "/", ".", "..", "a/../..", "//", "*"):
        with pytest.raises(InvalidPath):
            required_prefix(prefix)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_an_accepted_path_has_only_plain_segments(path: str) -> None:
    try:
        segments = split_path(path)
    except InvalidPath:
        return
    assert "/".join(segments) == path
    assert path.isascii()
    assert all(segment[0].isalnum() for segment in segments)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("media/x/original.pdf", "application/pdf"),
        ("media/x/original.epub", "application/epub+zip"),
        ("media/x/original.html", "application/octet-stream"),
        ("media/x/original.svg", "application/octet-stream"),
        ("media/x/original", "application/octet-stream"),
    ],
)
def test_the_extension_decides_the_type(path: str, expected: str) -> None:
    assert content_type_of(path) == expected

import pytest

from nexus.storage.ranges import ByteRange, RangeNotSatisfiable, parse_range

ALL = None


@pytest.mark.parametrize(
    ("header", "size", "expected"),
    [
        (None, 10, ALL),
        ("", 10, ALL),
        ("bytes=0-0", 10, ByteRange(0, 0)),
        ("bytes=0-9", 10, ByteRange(0, 9)),
        ("bytes=0-10", 10, ByteRange(0, 9)),
        ("bytes=9-", 10, ByteRange(9, 9)),
        ("bytes=3-5", 10, ByteRange(3, 5)),
        ("Bytes=3-5", 10, ByteRange(3, 5)),
        (" bytes=3-5 ", 10, ByteRange(3, 5)),
        ("bytes=-3", 10, ByteRange(7, 9)),
        ("bytes=-99", 10, ByteRange(0, 9)),
        ("bytes=5-3", 10, ALL),
        ("bytes=", 10, ALL),
        ("bytes=-", 10, ALL),
        ("bytes=a-b", 10, ALL),
        ("bytes=1-2,4-5", 10, ALL),
        ("bytes=+1-2", 10, ALL),
        ("bytes=1_0-", 10, ALL),
        ("bytes=١-٢", 10, ALL),
        ("bytes=--1", 10, ALL),
        ("bytes 1-2", 10, ALL),
        ("lines=1-2", 10, ALL),
        ("bytes=1-2\n", 10, ByteRange(1, 2)),
        ("bytes=" + "9" * 40 + "-", 10, ALL),
    ],
)
def test_parse_range(header: str | None, size: int, expected: ByteRange | None) -> None:
    assert parse_range(header, size) == expected


@pytest.mark.parametrize(
    ("header", "size"),
    [("bytes=10-", 10), ("bytes=10-20", 10), ("bytes=-0", 10), ("bytes=0-", 0), ("bytes=-5", 0)],
)
def test_a_range_behind_the_end(header: str, size: int) -> None:
    with pytest.raises(RangeNotSatisfiable):
        parse_range(header, size)

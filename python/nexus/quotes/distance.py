"""Edit distances, by edlib: exact, and fast enough for whole documents."""

from typing import Any

import edlib

Location = tuple[int, int]


def image(text: str) -> bytes:
    """One byte per character, its lowest: edlib knows no larger alphabets.

    Different characters may have the same, so what it finds may be worse than it seems, and what
    it does not find is not there.
    """
    return text.encode("utf-32-le")[::4]


def places(pattern: bytes, text: bytes, *, at_most: int) -> tuple[int, list[Location]]:
    """Where the pattern is with the fewest errors, and how many; none with more than `at_most`."""
    if not pattern or not text:
        return 0, []
    found = edlib.align(pattern, text, mode="HW", task="locations", k=at_most)
    return found["editDistance"], [(start, end + 1) for start, end in found["locations"]]


def distance(one: str, other: str) -> int:
    """How many characters must be changed, left out or added to turn one into the other."""
    if not one or not other:
        return len(one) + len(other)
    return int(edlib.align(*_alike(one, other), mode="NW")["editDistance"])


def beginning(one: str, other: str) -> int:
    """The same for some beginning of the other."""
    if not one or not other:
        return len(one)
    return int(edlib.align(*_alike(one, other), mode="SHW")["editDistance"])


def alignment(one: str, other: str) -> list[int]:
    """For each place of the first text, its end included, the one it has in the second."""
    found: dict[str, Any] = edlib.align(*_alike(one, other), mode="HW", task="path")
    at = found["locations"][0][0] or 0
    aligned = []
    count = ""
    for sign in found["cigar"]:
        if sign.isdigit():
            count += sign
            continue
        for _ in range(int(count)):
            if sign == "D":
                at += 1
                continue
            aligned.append(at)
            at += sign != "I"
        count = ""
    return [*aligned, at]


def _alike(one: str, other: str) -> tuple[bytes, bytes]:
    if one.isascii() and other.isascii():
        return one.encode(), other.encode()
    # What is only in the second text need not be told apart.
    codes = {char: 1 + number % 255 for number, char in enumerate(dict.fromkeys(one))}
    return bytes(map(codes.__getitem__, one)), bytes(codes.get(char, 0) for char in other)

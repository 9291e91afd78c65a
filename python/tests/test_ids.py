"""Ids of things that are made together."""

import zlib

from nexus.ids import consecutive_ids


def test_they_are_valid_and_all_different() -> None:
    ids = consecutive_ids(3_000)
    assert len({*ids, *consecutive_ids(3_000)}) == 6_000
    assert {one.version for one in ids} == {4}
    assert ids == sorted(ids)


def test_a_list_of_them_compresses_well() -> None:
    text = ",".join(map(str, consecutive_ids(2_000))).encode()
    assert len(zlib.compress(text, 5)) < len(text) / 8

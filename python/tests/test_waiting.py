"""The one polling loop."""

from nexus.waiting import comes_true


def test_what_holds_already_is_not_waited_for() -> None:
    looks = iter([True])
    assert comes_true(lambda: next(looks), within=0, every=60)


def test_it_looks_again_until_it_holds() -> None:
    looks = iter([False, False, True])
    assert comes_true(lambda: next(looks), within=60, every=0.001)
    assert list(looks) == []


def test_what_never_holds_is_given_up() -> None:
    assert not comes_true(lambda: False, within=0.02, every=0.005)

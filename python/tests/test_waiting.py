"""The one polling loop."""

from nexus.waiting import wait_until


def test_what_holds_already_is_not_waited_for() -> None:
    looks = iter([True])
    assert wait_until(lambda: next(looks), within=0, every=60)


def test_it_looks_again_until_it_holds() -> None:
    looks = iter([False, False, True])
    assert wait_until(lambda: next(looks), within=60, every=0.001)
    assert list(looks) == []


def test_what_never_holds_is_given_up() -> None:
    assert not wait_until(lambda: False, within=0.02, every=0.005)

"""Remembered viewers: only for a while, and never without bound."""

from uuid import uuid4

from nexus.services.viewer import KnownViewers


def test_remembered_until_it_is_old() -> None:
    user, library = uuid4(), uuid4()
    known, forgetful = KnownViewers(lifetime_seconds=60), KnownViewers(lifetime_seconds=0)
    for viewers in (known, forgetful):
        assert viewers.default_library_id(user) is None
        viewers.remember(user, library)
    assert known.default_library_id(user) == library
    assert forgetful.default_library_id(user) is None


def test_no_more_than_the_most() -> None:
    known = KnownViewers(most=3)
    users = [uuid4() for _ in range(10)]
    for user in users:
        known.remember(user, uuid4())
    remembered = [user for user in users if known.default_library_id(user)]
    assert 0 < len(remembered) <= 3
    assert users[-1] in remembered

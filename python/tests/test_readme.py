"""The README says what is true."""

from nexus.api.app import create_app
from nexus.config import PROJECT_ROOT

README = (PROJECT_ROOT / "README.md").read_text()


def test_it_speaks_of_sharing_as_the_api_does() -> None:
    paths = create_app().openapi()["paths"]
    assert "/libraries/{library_id}" in paths
    can_share = any("member" in path or "share" in path for path in paths)
    assert ("Sharing a library is not possible yet" in README) is not can_share
    assert ("share it with" in README) is can_share

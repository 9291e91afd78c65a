"""Fetching an image: whatever address is given, it ends in one of a few stated errors."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nexus.config import Settings
from nexus.errors import ApiError
from nexus.images.fetch import FetchLimits, check_image_url, fetch_image
from tests.egress.hostile import HOSTILE
from tests.patience import PATIENCE_SECONDS

LIMITS = FetchLimits(seconds=PATIENCE_SECONDS)
STATED = {
    (400, "E_INVALID_REQUEST"),
    (403, "E_SSRF_BLOCKED"),
    (502, "E_IMAGE_FETCH_FAILED"),
    (504, "E_IMAGE_TIMEOUT"),
}
NAMES = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("☕ßaI.-_%:[]@ xn0\u200d\u0131\u3002")),
    max_size=20,
)


def assert_stated(url: str) -> None:
    """None of them is the address of an image: `.invalid` has no names."""
    with pytest.raises(ApiError) as error:
        fetch_image(check_image_url(url, Settings()), Settings(), LIMITS)
    assert (error.value.status, error.value.code) in STATED


@pytest.mark.parametrize("url", HOSTILE, ids=ascii)
def test_hostile_addresses_end_in_stated_errors(url: str) -> None:
    assert_stated(url)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(name=NAMES, scheme=st.sampled_from(["http", "https"]), path=st.text(max_size=10))
def test_no_address_is_a_surprise(name: str, scheme: str, path: str) -> None:
    assert_stated(f"{scheme}://{name}.invalid/{path}")

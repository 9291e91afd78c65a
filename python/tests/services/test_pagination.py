"""Cursors: what is packed comes back; anything else is a bad request, never an error of ours."""

import base64
import json
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nexus.errors import InvalidRequestError
from nexus.services.pagination import decode_cursor, encode_cursor

TYPES = (datetime, UUID)
NOW = datetime(2026, 11, 3, 4, 5, 6, 789012, tzinfo=UTC)


@given(st.datetimes(timezones=st.just(UTC)), st.uuids())
def test_round_trip(moment: datetime, item: UUID) -> None:
    assert decode_cursor(encode_cursor((moment, item)), TYPES) == [moment, item]


def test_other_zones_and_types() -> None:
    moment = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert decode_cursor(encode_cursor((moment,)), (datetime,)) == [NOW]
    assert decode_cursor(encode_cursor((True, "My Library")), (bool, str)) == [True, "My Library"]


def packed(values: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


BAD = {
    "empty": "",
    "words": "not-a-cursor",
    "not ascii": "ü",
    "not base64": "****",
    "one letter": "a",
    "no json": base64.urlsafe_b64encode(b"{").decode(),
    "not text": base64.urlsafe_b64encode(b"\xff\xfe").decode(),
    "an object": packed({"a": 1}),
    "null": packed(None),
    "too few": packed([NOW.isoformat()]),
    "too many": packed([NOW.isoformat(), str(uuid4()), 1]),
    "no moment": packed(["yesterday", str(uuid4())]),
    "no zone": packed(["2026-01-01T00:00:00", str(uuid4())]),
    "no uuid": packed([NOW.isoformat(), "1"]),
    "numbers": packed([1, 2]),
    "nested": packed([[NOW.isoformat()], [str(uuid4())]]),
    "nul": packed([NOW.isoformat() + "\x00", str(uuid4())]),
    "deep": base64.urlsafe_b64encode(b"[" * 1000).decode(),
    "huge number": base64.urlsafe_b64encode(b"[" + b"9" * 5000 + b",1]").decode(),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_a_cursor(name: str) -> None:
    with pytest.raises(InvalidRequestError, match="cursor") as raised:
        decode_cursor(BAD[name], TYPES)
    assert raised.value.code == "E_INVALID_REQUEST"


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    try:
        decode_cursor(text, TYPES)
    except InvalidRequestError:
        return

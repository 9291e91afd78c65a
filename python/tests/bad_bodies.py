"""Request bodies that nobody should send, and the check that they change nothing."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from sqlalchemy import text
from sqlalchemy.orm import Session

from nexus.db.models import Base

JSON = {"Content-Type": "application/json"}

# Wrong for every route that takes an object: name → (body, headers).
UNREADABLE: dict[str, tuple[bytes, dict[str, str]]] = {
    "empty": (b"", JSON),
    "blank": (b"  \n", JSON),
    "cut off": (b'{"name": "x', JSON),
    "trailing comma": (b'{"name": "x",}', JSON),
    "two values": (b"{} {}", JSON),
    "single quotes": (b"{'name': 'x'}", JSON),
    "NUL bytes": (b"\x00\x00\x00", JSON),
    "not UTF-8": (b'{"name": "\xff\xfe"}', JSON),
    "overlong UTF-8": (b'{"name": "\xc0\x80"}', JSON),
    "surrogate as bytes": (b'{"name": "\xed\xa0\x80"}', JSON),
    "array": (b"[]", JSON),
    "array of objects": (b'[{"name": "x"}]', JSON),
    "string": (b'"name"', JSON),
    "number": (b"7", JSON),
    "null": (b"null", JSON),
    "true": (b"true", JSON),
    "NaN": (b"NaN", JSON),
    "deep arrays": (b"[" * 100_000, JSON),
    "deep objects": (b'{"name":' * 50_000 + b"1" + b"}" * 50_000, JSON),
    "huge integer": (b'{"name": ' + b"9" * 10_000 + b"}", JSON),
    "no fields": (b"{}", JSON),
    "unknown field": (b'{"no_such_field": 1}', JSON),
    "surrogate as key": (b'{"\\ud800": 1}', JSON),
    "long key": (b'{"' + b"k" * 500_000 + b'": 1}', JSON),
    "many keys": (json.dumps({f"k{i}": i for i in range(20_000)}).encode(), JSON),
    "prototype": (b'{"__proto__": {"name": "x"}, "constructor": 1}', JSON),
    "form": (b"name=x", {"Content-Type": "application/x-www-form-urlencoded"}),
    "form data": (b"--b--", {"Content-Type": "multipart/form-data; boundary=b"}),
    "plain text": (b'{"name": "x"}', {"Content-Type": "text/plain"}),
    "XML": (b"<name>x</name>", {"Content-Type": "application/xml"}),
    "odd content type": (b'{"name": "x"}', {"Content-Type": ";;;"}),
    "odd charset": (b'{"name": "x', {"Content-Type": "application/json; charset=utf-7"}),
}

# Wrong for every required text field.
BAD_TEXT: dict[str, object] = {
    "null": None,
    "number": 7,
    "huge number": 10**400,
    "float": 1.5,
    "boolean": True,
    "list": ["x"],
    "object": {"x": "y"},
    "empty": "",
    "blank": "   \t\n ",
    "invisible": "\u2028\u00a0\u3000",
    "NUL": "a\x00b",
    "lone surrogate": "a\ud800b",
    "reversed surrogates": "\udc00\ud800",
}


def refusal_problem(answer: httpx.Response) -> str | None:
    """What is wrong with this answer to a bad request; None when nothing is."""
    if answer.status_code != 400:
        return f"status {answer.status_code}: {answer.text[:200]}"
    error = answer.json().get("error", {})
    if set(error) != {"code", "message", "request_id"} or not error["code"].startswith("E_"):
        return f"not the envelope: {answer.text[:200]}"
    if error["request_id"] != answer.headers["x-request-id"]:
        return "another request id in the body than in the header"
    if not 10 < len(error["message"]) <= 500 or "Traceback" in answer.text:
        return f"not a message for a person: {error['message'][:200]}"
    return None


def encode(body: dict[str, Any]) -> bytes:
    """JSON in which lone surrogates are escaped, as a hostile client would."""
    return json.dumps(body).encode()


@contextmanager
def nothing_changes(session: Session) -> Iterator[None]:
    before = _fingerprint(session)
    yield
    assert _fingerprint(session) == before


def _fingerprint(session: Session) -> dict[str, list[object]]:
    session.rollback()
    query = "SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {} t"
    rows = {
        table: list(session.execute(text(query.format(table))).one())
        for table in Base.metadata.tables
    }
    session.rollback()
    return rows

"""What a careful client sends for a highlight, and a person who sends it."""

from typing import Any

import httpx
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from nexus.services.viewer import Viewer
from tests.factories import make_article, make_user
from tests.live import LiveNexus

CONTEXT_LENGTH = 64
TEXT = "The quick brown fox 🦊 jumps over the lazy dog. שלום 世界, e\u0301 and 👩‍👩‍👧‍👦 too." * 3


def highlight_body(text: str, start: int, end: int, **changes: Any) -> dict[str, Any]:
    """The body that highlights the text from `start` to `end`; `changes` make it another one."""
    return {
        "start_offset": start,
        "end_offset": end,
        "color": "yellow",
        "exact": text[start:end],
        "prefix": text[max(0, start - CONTEXT_LENGTH) : start],
        "suffix": text[end : end + CONTEXT_LENGTH],
        **changes,
    }


class Reader:
    """A person with one article, and the client they read it with."""

    def __init__(self, nexus: LiveNexus, session: Session, text: str = TEXT) -> None:
        self.viewer: Viewer = make_user(session)
        self.fragment: Fragment = make_article(session, self.viewer, text=text)
        self.text = text
        self.api: httpx.Client = nexus.api(self.viewer.user_id)
        self.url = f"/fragments/{self.fragment.id}/highlights"

    def create(self, start: int, end: int, **changes: Any) -> httpx.Response:
        return self.api.post(self.url, json=highlight_body(self.text, start, end, **changes))

    def created(self, start: int, end: int, **changes: Any) -> dict[str, Any]:
        answer = self.create(start, end, **changes)
        assert answer.status_code == 201, answer.text
        data: dict[str, Any] = answer.json()["data"]
        return data

    def listed(self) -> list[dict[str, Any]]:
        data: list[dict[str, Any]] = self.api.get(self.url).json()["data"]["highlights"]
        return data

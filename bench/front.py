"""Somebody who uses Nexus as in a browser: the front before the API, an account, files, tabs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import httpx
from playwright.sync_api import Browser, Page

from bench.stack import Stack, wait_for

_VIEWPORT = {"width": 1280, "height": 900}
_TYPES = {"pdf": "application/pdf", "epub": "application/epub+zip"}
# No request was under way for a while.
_IS_QUIET = """() => {
  const ends = performance.getEntriesByType("resource").map((entry) => entry.responseEnd);
  return performance.now() - Math.max(...ends) > 500;
}"""
_READ = ("ready_for_reading", "failed")


@contextmanager
def front(stack: Stack, *, app: str | None = None) -> Iterator[str]:
    """The front, leading to the API of this stack; yields its origin. `app` takes its place."""
    api_url = f"unix:{stack.api_socket}"
    led = replace(stack, settings=stack.settings.model_copy(update={"api_url": api_url}))
    origin = f"http://127.0.0.1:{stack.settings.port}"
    with led.program("bff", app=app):
        wait_for(lambda: _responds(origin), seconds=60)
        yield origin


@dataclass(frozen=True)
class Reader:
    """An account, signed in."""

    origin: str
    client: httpx.Client

    def tab(self, browser: Browser, **options: Any) -> Page:
        """A page in a browser context of its own."""
        context = browser.new_context(viewport=_VIEWPORT, base_url=self.origin, **options)  # type: ignore[arg-type]
        context.add_cookies(
            [
                {"name": name, "value": value, "url": self.origin}
                for name, value in dict(self.client.cookies).items()
            ]
        )
        return context.new_page()

    def library(self, browser: Browser, media_id: str) -> Page:
        """A page with the list that has the item in it, some time after it was opened."""
        page = self.tab(browser)
        page.goto("/")
        page.locator(f'a[href="/read/{media_id}"]').first.wait_for()
        # Who clicks has looked at the list, and nothing of that is under way any more.
        page.wait_for_function(_IS_QUIET)
        return page

    def get(self, path: str) -> Any:
        return self.client.get(f"/api{path}").raise_for_status().json()["data"]

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return self.client.post(f"/api{path}", json=body).raise_for_status().json()["data"]

    def upload(self, data: bytes, *, kind: str, name: str) -> str:
        """Hands over a file; returns the item's id, which is an older one if it was there."""
        announced = {
            "kind": kind,
            "filename": name,
            "content_type": _TYPES[kind],
            "size_bytes": len(data),
        }
        target = self.post("/media/upload/init", announced)
        sent = self.client.put(target["upload_url"], content=data, headers=target["upload_headers"])
        sent.raise_for_status()
        return str(self.post(f"/media/{target['media_id']}/ingest")["media_id"])

    def wait_for(self, media_id: str, *, seconds: float = 300) -> dict[str, Any]:
        """The item, once it is ready or failed."""
        wait_for(lambda: self._media(media_id)["processing_status"] in _READ, seconds=seconds)
        return self._media(media_id)

    def _media(self, media_id: str) -> dict[str, Any]:
        media: dict[str, Any] = self.get(f"/media/{media_id}")
        return media


@contextmanager
def signed_up(origin: str) -> Iterator[Reader]:
    """A new account."""
    with httpx.Client(base_url=origin, headers={"Origin": origin}, timeout=60) as client:
        account = {"email": f"{uuid4().hex}@example.org", "password": "a-fine-long-passphrase"}
        client.post("/auth/signup", json=account).raise_for_status()
        yield Reader(origin, client)


def _responds(origin: str) -> bool:
    try:
        return httpx.get(origin, timeout=1).is_success
    except httpx.HTTPError:
        return False

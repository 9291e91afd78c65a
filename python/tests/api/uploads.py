"""The steps of an upload as the web app takes them: announce, PUT, confirm."""

import io
import zipfile
from typing import Any

import httpx

PDF = b"%PDF-1.7\n" + b"x" * 500
TYPES = {"pdf": "application/pdf", "epub": "application/epub+zip"}


def an_epub(text: str = "A book") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", text)
    return buffer.getvalue()


def announcement(data: bytes, kind: str = "pdf", **changes: Any) -> dict[str, Any]:
    return {
        "kind": kind,
        "filename": f"A fine file.{kind}",
        "content_type": TYPES[kind],
        "size_bytes": len(data),
        **changes,
    }


def announce(browser: httpx.Client, data: bytes, kind: str = "pdf", **changes: Any) -> Any:
    answer = browser.post("/api/media/upload/init", json=announcement(data, kind, **changes))
    assert answer.status_code == 201, answer.text
    return answer.json()["data"]


def put(browser: httpx.Client, target: Any, data: bytes) -> None:
    answer = browser.put(target["upload_url"], content=data, headers=target["upload_headers"])
    assert answer.status_code == 204, answer.text


def confirm(browser: httpx.Client, target: Any) -> httpx.Response:
    return browser.post(f"/api/media/{target['media_id']}/ingest")


def uploaded(browser: httpx.Client, data: bytes, kind: str = "pdf") -> Any:
    """The item of a finished upload."""
    target = announce(browser, data, kind)
    put(browser, target, data)
    outcome = confirm(browser, target).json()["data"]
    return browser.get(f"/api/media/{outcome['media_id']}").json()["data"]

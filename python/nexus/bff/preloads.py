"""What a page of the web app needs besides itself, named in its head.

A browser then loads the parts of the app and its data side by side, instead of finding out about
each once the one before it has run. The web app asks for the same addresses; one that nobody asks
for costs a request and does no harm.
"""

import json
import re
from pathlib import Path
from typing import Any

# By their names in the source, which the build's manifest leads to its files.
_APP = "index.html"
_ARTICLE_READER = "src/features/reader/ReaderPage.tsx"
_LISTS = "src/app/ListViews.tsx"
_READ = re.compile(r"read/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")
_SESSION = "/auth/session"


class Preloads:
    """The `Link` headers of one build."""

    def __init__(self, dist: Path) -> None:
        manifest = dist / ".vite" / "manifest.json"
        chunks = json.loads(manifest.read_text()) if manifest.is_file() else {}
        # The page itself names what the app starts with.
        started = _files(chunks, _APP)
        self._reader, self._lists = (
            [_link_to_file(file) for file in _files(chunks, view) if file not in started]
            for view in (_ARTICLE_READER, _LISTS)
        )

    def of(self, path: str, *, signed_in: bool) -> str:
        """What to load along with the page at a path; nothing for somebody who has to sign in."""
        if not signed_in:
            return ""
        links = [_link_to_data(_SESSION)]
        # Most items are articles; the reader of another kind comes when that is known.
        if opened := _READ.fullmatch(path):
            links += [_link_to_data(f"/api/media/{opened[1]}/reading"), *self._reader]
        else:
            links += self._lists
        return ", ".join(links)


def _files(chunks: dict[str, Any], name: str) -> list[str]:
    """The files of a chunk and of what it imports, each once; styles come before their script."""
    files: dict[str, None] = {}
    names, known = [name], {name}
    while names:
        chunk = chunks.get(names.pop(), {})
        files |= dict.fromkeys(chunk.get("css", []))
        files |= dict.fromkeys([chunk["file"]] if "file" in chunk else [])
        # Chunks may import each other.
        names += [one for one in chunk.get("imports", []) if one not in known]
        known.update(names)
    return list(files)


def _link_to_file(file: str) -> str:
    kind = "rel=preload; as=style" if file.endswith(".css") else "rel=modulepreload"
    return f"</{file}>; {kind}; crossorigin"


def _link_to_data(address: str) -> str:
    return f"<{address}>; rel=preload; as=fetch; crossorigin"

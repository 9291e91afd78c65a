"""The API as it is, with bare JSON routes beside its own: `uvicorn bench.server:app`.

A bare route returns what the real one would, from memory, in the way FastAPI does by itself: no
account, no database, but the same server, the same middleware and the same threads.
"""

import json
import os
from pathlib import Path
from typing import Any

from apps.api.main import app

from nexus.schemas.highlights import CreateHighlightRequest, HighlightList, HighlightOut
from nexus.schemas.media import MediaList

RESPONSES_VARIABLE = "NEXUS_BENCH_RESPONSES"

_responses: dict[str, Any] = json.loads(Path(os.environ[RESPONSES_VARIABLE]).read_text())
_highlights = HighlightList.model_validate(_responses["list_highlights"])
_highlight = HighlightOut.model_validate(_responses["create_highlight"])
_media = MediaList.model_validate(_responses["list_media"])


@app.get("/bare/small")
def small() -> dict[str, str]:
    return {"status": "ok"}


@app.get("/bare/list_highlights")
def list_highlights() -> HighlightList:
    return _highlights


@app.post("/bare/create_highlight")
def create_highlight(_body: CreateHighlightRequest) -> HighlightOut:
    return _highlight


@app.get("/bare/list_media")
def list_media() -> MediaList:
    return _media

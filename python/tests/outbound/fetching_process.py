"""Fetches what it is told to, one line at a time, and says what came of it and at what memory.

Each line is a JSON list of a way (`image`, `jwks`, `supabase`, `supabase-file`) and an address. The
answer is the error's code or name (or "ok") and the peak of resident memory above that at start.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from nexus.auth.jwks import JwksCache
from nexus.config import get_settings
from nexus.errors import ApiError
from nexus.images.cache import ImageCache
from nexus.services.images.proxy import get_image
from nexus.storage.supabase import SupabaseStorage
from nexus.storage.supabase_api import SupabaseApi

STATUS = Path("/proc/self/status")


def fetch(way: str, url: str, folder: Path) -> None:
    if way == "image":
        get_image(get_settings(), ImageCache(folder, budget_bytes=1024 * 1024), url=url)
    elif way == "jwks":
        JwksCache(url).signing_key("any")
    elif way.startswith("supabase"):
        storage = SupabaseStorage(SupabaseApi(url, "key", sleep=lambda _: None), "bucket")
        try:
            if way == "supabase":
                storage.stat("media/x.pdf")
            else:
                for _ in storage.open_stream("media/x.pdf"):
                    pass
        finally:
            storage.close()


def memory(name: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024


def main() -> None:
    # Logs go to where nobody takes them for an answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    before = memory("VmRSS")
    with answers, tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            way, url = json.loads(line)
            # Begins a new peak.
            Path("/proc/self/clear_refs").write_text("5")
            try:
                fetch(way, url, Path(folder))
                outcome = "ok"
            except ApiError as error:
                outcome = error.code
            except Exception as error:
                outcome = type(error).__name__
            answers.write(json.dumps([outcome, memory("VmHWM") - before]) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()

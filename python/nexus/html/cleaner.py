"""The process in which pages are cleaned: `cleaning` starts it, feeds it and may kill it.

It reads one page after another from standard input and writes each result to standard output, both
as JSON after its length. It imports little, because the worker's first article waits for it.
"""

import json
import re
import resource
import select
import struct
import sys
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from nexus.html.image_sizes import declared_sizes
from nexus.html.page import read_page
from nexus.html.sanitize import SanitizationError

LENGTH = struct.Struct(">I")
MEMORY_BYTES = 1024**3
CPU_SECONDS = 15
IDLE_SECONDS = 30
# After this many pages, or one that made it this large, it makes way for a fresh process.
_PAGES = 500
_LARGE_BYTES = 256 * 1024**2


def main() -> None:
    """Clean pages until no more come."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    for _ in range(_PAGES):
        if not select.select([requests], [], [], IDLE_SECONDS)[0]:
            return
        request = _receive(requests)
        if request is None:
            return
        _allow_cpu_seconds(CPU_SECONDS)
        _send(replies, _reply(request))
        if _memory() > _LARGE_BYTES:
            return


def clean(html: str, base_url: str, page_url: str = "") -> dict[str, Any]:
    """Everything that is kept of a page."""
    return asdict(read_page(html, base_url, page_url)) | {"sizes": declared_sizes(html, base_url)}


def _reply(request: dict[str, str]) -> dict[str, Any]:
    try:
        return {"page": clean(**request)}
    except SanitizationError as error:
        return {"refused": str(error)}
    except Exception:
        return {"defect": traceback.format_exc(limit=20)[-4000:]}


def _receive(stream: BinaryIO) -> dict[str, str] | None:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    request: dict[str, str] = json.loads(stream.read(length))
    return request


def _send(stream: BinaryIO, reply: dict[str, Any]) -> None:
    body = json.dumps(reply).encode()
    stream.write(LENGTH.pack(len(body)) + body)
    stream.flush()


def _allow_cpu_seconds(seconds: int) -> None:
    """The kernel kills us when they are used up, even if nobody waits for the reply any more."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _memory() -> int:
    """Our peak memory. On Linux not from getrusage, which starts at the peak of our parent."""
    if sys.platform == "linux":
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
        if peak is not None:
            return int(peak[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()

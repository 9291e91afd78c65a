"""The process in which a person's template is rendered: `template` starts it and may kill it.

It reads the template, then one item after another, and replies to each; JSON after its length.
"""

import json
import resource
import struct
import sys
from typing import Any, BinaryIO

from nexus.export.render import TemplateRefused, compile_template, render

LENGTH = struct.Struct(">I")
_MEMORY_BYTES = 512 * 1024**2


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    template = None
    while (request := _receive(requests)) is not None:
        try:
            if template is None:
                template = compile_template(request["template"])
                reply = {}
            else:
                reply = {"page": render(template, request["view"])}
        except TemplateRefused as error:
            reply = {"error": str(error)}
        body = json.dumps(reply).encode()
        replies.write(LENGTH.pack(len(body)) + body)
        replies.flush()


def _receive(stream: BinaryIO) -> dict[str, Any] | None:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    request: dict[str, Any] = json.loads(stream.read(length))
    return request


if __name__ == "__main__":
    main()

"""Makes pages of Markdown: by our own template here, by a person's in a process of its own.

The sandbox keeps a template away from everything but its values. How long it takes and how much
memory, only a process that can be killed limits.
"""

import contextlib
import json
import subprocess
import sys
import threading
from types import TracebackType
from typing import Any, Protocol, Self

from nexus.child import bare_environment
from nexus.errors import InvalidRequestError
from nexus.export.render import DEFAULT_TEMPLATE, compile_template, render
from nexus.export.template_process import LENGTH
from nexus.export.view import SAMPLES, View

SECONDS_PER_PAGE = 10.0


class Pages(Protocol):
    """What makes a page of Markdown of an item."""

    def page(self, view: View) -> str: ...

    def close(self) -> None: ...


class BrokenTemplate(InvalidRequestError):
    def __init__(self, why: str) -> None:
        super().__init__(f"The template cannot be used: {why}", code="E_TEMPLATE_INVALID")


class OurPages:
    """By the template that comes with Nexus."""

    def __init__(self) -> None:
        self._template = compile_template(DEFAULT_TEMPLATE)

    def page(self, view: View) -> str:
        return render(self._template, view)

    def close(self) -> None:
        pass


class PagesOfTemplate:
    """By a person's own template, which is tried before anything is written."""

    def __init__(self, template: str, *, seconds: float = SECONDS_PER_PAGE) -> None:
        self._seconds = seconds
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "nexus.export.template_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=bare_environment(),
            start_new_session=True,
        )
        try:
            self._ask({"template": template})
            for sample in SAMPLES:
                self.page(sample)
        except BaseException:
            self.close()
            raise

    def page(self, view: View) -> str:
        page: str = self._ask({"view": view})["page"]
        return page

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        too_long = threading.Timer(self._seconds, self._process.kill)
        too_long.start()
        try:
            reply = self._exchange(json.dumps(request).encode())
        except (OSError, EOFError):
            raise BrokenTemplate("a page takes too long or too much memory.") from None
        finally:
            too_long.cancel()
        if "error" in reply:
            raise BrokenTemplate(f"{reply['error']}.")
        return reply

    def _exchange(self, request: bytes) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(LENGTH.pack(len(request)) + request)
        stdin.flush()
        head = stdout.read(LENGTH.size)
        if len(head) < LENGTH.size:
            raise EOFError
        (length,) = LENGTH.unpack(head)
        body = stdout.read(length)
        if len(body) < length:
            raise EOFError
        reply: dict[str, Any] = json.loads(body)
        return reply


def pages_by(template: str | None) -> Pages:
    """Raises if the template cannot be used."""
    return OurPages() if template is None else PagesOfTemplate(template)

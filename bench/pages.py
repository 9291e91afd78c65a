"""Real pages: the project's own fixtures, and the corpus if it is beside the checkout."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nexus.config import PROJECT_ROOT

_CORPUS = PROJECT_ROOT.parent / "shared" / "corpus"
_FIXTURES = PROJECT_ROOT / "python" / "tests" / "fixtures" / "pages"


def fixture_pages() -> list[Path]:
    return sorted(_FIXTURES.glob("*.html"))


def corpus_pages() -> list[Path]:
    """None where there is no corpus beside the project."""
    return sorted(_CORPUS.glob("*.html"))


@dataclass(frozen=True)
class Site:
    """A web server with the pages."""

    origin: str
    names: tuple[str, ...]
    source: str

    @property
    def host(self) -> str:
        return self.origin.removeprefix("http://")

    def urls(self, count: int, *, mark: str) -> list[str]:
        """That many addresses, cycling through the pages, each of them another article."""
        return [
            f"{self.origin}/{mark}-{number}/{self.names[number % len(self.names)]}"
            for number in range(count)
        ]


@contextlib.contextmanager
def site() -> Iterator[Site]:
    """Serve the corpus, or the fixtures where there is none."""
    with serve(corpus_pages() or fixture_pages()) as pages:
        yield pages


@contextlib.contextmanager
def serve(pages: list[Path]) -> Iterator[Site]:
    """Serve the pages of one folder from a process of its own."""
    folder = pages[0].parent
    names = tuple(page.name for page in pages)
    command = [sys.executable, "-m", "bench.site", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT_ROOT) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        source = "corpus" if folder == _CORPUS else "fixtures"
        try:
            yield Site(f"http://127.0.0.1:{port}", names, f"{len(names)} pages ({source})")
        finally:
            process.terminate()

"""What a browser loads to open an article, compressed."""

import gzip
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from bench.figures import Figure, not_measured
from bench.run import Run
from nexus.config import PROJECT_ROOT

_WEB = PROJECT_ROOT / "apps" / "web"
_READER = "src/features/reader/ReaderPage.tsx"
_TARGET_KB = 150.0


def measure(bench: Run) -> list[Figure]:
    """The entry and the reader's own chunk, with all they import; scripts and styles."""
    name = "reader route, gzip"
    if not (_WEB / _READER).exists():
        return [not_measured(name, "the reader is not built: there is no " + _READER)]
    bench.say("bundle: building the web app")
    with tempfile.TemporaryDirectory() as folder:
        _build(Path(folder))
        manifest = json.loads((Path(folder) / ".vite" / "manifest.json").read_text())
        entry = _files(manifest, "index.html")
        reader = entry | (_files(manifest, _READER) if _READER in manifest else set())
        sizes = {file: _gzipped(Path(folder) / file) / 1000 for file in reader}
    scripts = sum(size for file, size in sizes.items() if file.endswith(".js"))
    styles = sum(sizes.values()) - scripts
    note = f"scripts {scripts:.0f} kB, styles {styles:.0f} kB, {len(sizes)} files"
    return [
        Figure(name, sum(sizes.values()), "kB", at_most=_TARGET_KB, note=note),
        Figure("first page, gzip", sum(sizes[file] for file in entry), "kB"),
    ]


def _build(folder: Path) -> None:
    subprocess.run(
        ["npx", "--no-install", "vite", "build", "--manifest", "--outDir", str(folder)],
        cwd=_WEB,
        check=True,
        capture_output=True,
        timeout=300,
    )


def _files(manifest: dict[str, Any], chunk: str) -> set[str]:
    """A chunk's file, its styles, and those of what it imports at once."""
    chunks, files = [chunk], set()
    for name in chunks:
        found = manifest[name]
        files |= {found["file"], *found.get("css", [])}
        chunks += [one for one in found.get("imports", []) if one not in chunks]
    return files


def _gzipped(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6, mtime=0))

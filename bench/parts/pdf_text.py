"""The text of a PDF's pages and where it lies, against pdf.js alone."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from bench.figures import Figure, not_measured
from bench.run import Run
from tests.pdf_files import running_heads

_TARGET = 1.3
_PROGRAM = Path(__file__).parent.parent / "pdf-text.mjs"


def measure(bench: Run) -> list[Figure]:
    """Both over the same file, turn by turn in one process; the best of some rounds for each."""
    name = "PDF, text of a page, ours / pdf.js alone"
    node = shutil.which("node")
    if node is None:
        return [not_measured(name, "Node.js is not installed")]
    pages, rounds = bench.size(300, 50), bench.size(7, 3)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pages.pdf"
        bench.say("pdf: writing the file")
        file.write_bytes(running_heads(pages))
        bench.say("pdf: reading it")
        command = [node, "--no-addons", str(_PROGRAM), str(file), str(rounds)]
        done = subprocess.run(command, check=True, capture_output=True, timeout=600)
    found = json.loads(done.stdout)
    bare, text, whole = (found[name] / pages for name in ("bare", "text", "whole"))
    note = f"{text:.2f} ms against {bare:.2f} ms, {pages} pages"
    return [
        Figure(name, text / bare, "×", at_most=_TARGET, note=note),
        Figure("PDF, paragraphs and outline too", whole / bare, "×"),
    ]

"""What a benchmark reports: figures, each with its target, and how they are shown and kept."""

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import psutil

from nexus.config import PROJECT_ROOT

RESULTS = Path(__file__).parent / "results.json"
Verdict = Literal["pass", "short", "failed", "-"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number. Without a limit it is for information only."""

    name: str
    value: float | None
    unit: str
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        """`failed` means that nothing was measured."""
        if self.value is None:
            return "failed"
        if self.at_least is None and self.at_most is None:
            return "-"
        high_enough = self.at_least is None or self.value >= self.at_least
        low_enough = self.at_most is None or self.value <= self.at_most
        return "pass" if high_enough and low_enough else "short"

    @property
    def target(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g} {self.unit}"
        return "" if self.at_most is None else f"≤ {self.at_most:g} {self.unit}"


def not_measured(name: str, reason: str) -> Figure:
    """Stands for what could not be measured; the run as a whole then fails."""
    return Figure(name, None, "", note=reason)


def table(figures: Sequence[Figure]) -> str:
    """The figures as aligned text."""
    rows = [("measure", "figure", "target", "", "")]
    for figure in figures:
        shown = "not measured" if figure.value is None else f"{number(figure.value)} {figure.unit}"
        rows.append((figure.name, shown, figure.target, figure.verdict, figure.note))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]])
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def number(value: float) -> str:
    """Three significant digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def save(results: dict[str, list[Figure]], *, seconds: dict[str, float]) -> None:
    """Write results.json. Parts that did not run this time keep what they had at this revision."""
    now = {
        "git_revision": _git("rev-parse", "HEAD"),
        "uncommitted_changes": bool(
            _git("status", "--porcelain", "--", ".", ":!bench/results.json")
        ),
    }
    kept: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    parts = kept.get("parts", {}) if all(kept.get(key) == now[key] for key in now) else {}
    for name, figures in results.items():
        parts[name] = {
            "taken_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(seconds[name], 1),
            "load_average": [round(load, 2) for load in os.getloadavg()],
            "figures": [_as_json(figure) for figure in figures],
        }
    document = {**now, "machine": machine(), "parts": parts}
    RESULTS.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _as_json(figure: Figure) -> dict[str, Any]:
    fields = {key: value for key, value in asdict(figure).items() if value not in (None, "")}
    if figure.value is not None:
        fields["value"] = float(f"{figure.value:.4g}")
    return {**fields, "target": figure.target, "verdict": figure.verdict}


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "node": _output(["node", "--version"]).lstrip("v"),
    }


def _cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _git(*arguments: str) -> str:
    return _output(["git", "-C", str(PROJECT_ROOT), *arguments])


def _output(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return done.stdout.strip()

"""`python -m bench [--only name]`: run the benchmarks, print the table, write results.json."""

import argparse
import sys
import time
import traceback
from importlib import import_module

from bench.figures import Figure, not_measured, save, table
from bench.run import Run

PARTS = (
    "ingest",
    "quality",
    "latency",
    "imports",
    "text",
    "pdf_text",
    "book",
    "api",
    "growth",
    "search",
    "quotes",
    "drawing",
    "reading",
    "pdf_pages",
    "book_opening",
    "phone",
    "memory",
    "rest",
    "startup",
    "bundle",
)


def main() -> int:
    arguments = _arguments()
    bench = Run(quick=arguments.quick)
    results: dict[str, list[Figure]] = {}
    seconds: dict[str, float] = {}
    for name in arguments.only or PARTS:
        started = time.monotonic()
        results[name] = _measure(name, bench)
        seconds[name] = time.monotonic() - started
        bench.say.clear()
        print(f"\n{name} ({seconds[name]:.0f} s)\n{table(results[name])}", flush=True)
    if not bench.quick:
        save(results, seconds=seconds)
    figures = [figure for part in results.values() for figure in part]
    counts = {kind: sum(f.verdict == kind for f in figures) for kind in ("pass", "short", "failed")}
    print(f"\n{counts['pass']} met, {counts['short']} short, {counts['failed']} not measured")
    return 1 if counts["failed"] else 0


def _measure(name: str, bench: Run) -> list[Figure]:
    try:
        figures: list[Figure] = import_module(f"bench.parts.{name}").measure(bench)
    except Exception as error:
        bench.say.clear()
        traceback.print_exc()
        return [not_measured(name, f"{type(error).__name__}: {error}".splitlines()[0])]
    return figures


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, help="run this part alone")
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is kept")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

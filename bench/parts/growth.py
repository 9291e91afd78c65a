"""The same routes with a hundred times as much in the database."""

import statistics

from bench import dataset
from bench.figures import Figure
from bench.load import run, take_turns
from bench.routes import LABELS, ROUTES, Requests
from bench.run import Run
from bench.stack import Stack, nexus_stack

_TARGET = 1.5
_SMALL = (1_000, 10_000)
_LARGE = (100_000, 1_000_000)
_LARGE_QUICK = (10_000, 100_000)


def measure(bench: Run) -> list[Figure]:
    """Two databases of one server, each with an API of its own, asked in turn."""
    rounds, count = bench.size(9, 3), bench.size(200, 40)
    with nexus_stack() as small:
        large = small.beside("nexus_large")
        requests = {
            "small": _filled(bench, small, *_SMALL),
            "large": _filled(bench, large, *(_LARGE_QUICK if bench.quick else _LARGE)),
        }
        sockets = {"small": small.api_socket, "large": large.api_socket}
        with small.api(), large.api():
            for size in requests:
                for route in ROUTES:
                    run(sockets[size], requests[size].real(route, 60))
            return [
                _compare(bench, sockets, requests, route, rounds=rounds, count=count)
                for route in ROUTES
            ]


def _filled(bench: Run, stack: Stack, media: int, highlights: int) -> Requests:
    bench.say(f"growth: loading {media:,} articles and {highlights:,} highlights")
    with stack.connect() as connection:
        data = dataset.load(connection, media=media, highlights=highlights)
        connection.execute("CHECKPOINT")
    return Requests(data, stack.headers(data.reader))


def _compare(
    bench: Run,
    sockets: dict[str, str],
    requests: dict[str, Requests],
    route: str,
    *,
    rounds: int,
    count: int,
) -> Figure:
    medians: dict[str, list[float]] = {"small": [], "large": []}
    for number in range(rounds):
        bench.say(f"growth: {LABELS[route]}, round {number + 1} of {rounds}")
        sides = [(sockets[size], requests[size].real(route, count)) for size in medians]
        for size, taken in zip(medians, take_turns(sides), strict=True):
            medians[size].append(taken.median)
    ratios = [large / small for small, large in zip(*medians.values(), strict=True)]
    middle = {size: statistics.median(values) * 1000 for size, values in medians.items()}
    note = f"{middle['large']:.2f} ms against {middle['small']:.2f} ms"
    ratio = statistics.median(ratios)
    return Figure(f"{LABELS[route]}, large / small", ratio, "×", at_most=_TARGET, note=note)

"""Routes of the API against bare FastAPI routes that return the same JSON from memory."""

import json
import os
import statistics

from bench import dataset
from bench.figures import Figure
from bench.load import Connection, Timings, run, take_turns
from bench.routes import LABELS, ROUTES, Requests
from bench.run import Run
from bench.stack import Stack, nexus_stack

RESPONSES_VARIABLE = "NEXUS_BENCH_RESPONSES"
_TARGET = 2.0
_TAIL_TARGET = 5.0


def measure(bench: Run) -> list[Figure]:
    """Median against median, round by round; the tail over all rounds."""
    rounds, count = bench.size(9, 3), bench.size(250, 60)
    with nexus_stack() as stack:
        bench.say("api: loading 1,000 articles and 10,000 highlights")
        with stack.connect() as connection:
            data = dataset.load(connection, media=1_000, highlights=10_000)
        requests = Requests(data, stack.headers(data.reader))
        _keep_responses(stack, requests)
        with stack.api(app="bench.server:app"):
            _warm_up(stack, requests)
            figures = []
            for route in ROUTES:
                figures += _compare(bench, stack, requests, route, rounds=rounds, count=count)
    return figures


def _compare(
    bench: Run, stack: Stack, requests: Requests, route: str, *, rounds: int, count: int
) -> list[Figure]:
    ratios, against_small = [], []
    real, bare = Timings(), Timings()
    for number in range(rounds):
        bench.say(f"api: {LABELS[route]}, round {number + 1} of {rounds}")
        kinds = (
            requests.real(route, count),
            requests.bare(route, count),
            requests.bare("small", count),
        )
        taken = take_turns([(stack.api_socket, messages) for messages in kinds])
        ratios.append(taken[0].median / taken[1].median)
        against_small.append(taken[0].median / taken[2].median)
        real.seconds += taken[0].seconds
        bare.seconds += taken[1].seconds
    label = LABELS[route]
    milliseconds = f"{real.median * 1000:.2f} ms against {bare.median * 1000:.2f} ms"
    tail = real.quantile(0.99) / real.median
    bare_tail = bare.quantile(0.99) / bare.median
    return [
        Figure(
            f"{label}: median", statistics.median(ratios), "×", at_most=_TARGET, note=milliseconds
        ),
        Figure(
            f"{label}: p99 / p50",
            tail,
            "×",
            at_most=_TAIL_TARGET,
            note=f"bare route {bare_tail:.1f} ×",
        ),
        Figure(
            f"{label}: median against an empty response",
            statistics.median(against_small),
            "×",
            note='the bare route that returns {"status": "ok"}',
        ),
    ]


def _keep_responses(stack: Stack, requests: Requests) -> None:
    """What the real routes return, for the bare ones to return too."""
    with stack.api():
        connection = Connection(stack.api_socket)
        responses = {
            route: dataset.data_of(connection.ask(requests.real(route, 1)[0])) for route in ROUTES
        }
        connection.close()
    assert len(responses["list_highlights"]["highlights"]) == dataset.HIGHLIGHTS_PER_TARGET
    path = stack.layout.data_dir / "responses.json"
    path.write_text(json.dumps(responses))
    os.environ[RESPONSES_VARIABLE] = str(path)


def _warm_up(stack: Stack, requests: Requests) -> None:
    """Open connections and prepare statements, which a server does once."""
    for route in ROUTES:
        run(stack.api_socket, requests.real(route, 60))
        run(stack.api_socket, requests.bare(route, 60))

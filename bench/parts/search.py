"""Search in 100,000 texts of 1,000 words, against a list of 50 items in the same run."""

import random
import time
from uuid import UUID

from bench.figures import Figure
from bench.hostile_queries import hostile_queries, in_address
from bench.load import Connection, Timings, request, run, take_turns
from bench.run import Run
from bench.search_data import NEIGHBOUR, READER, Texts, load_texts
from bench.stack import Stack, nexus_stack

_MEDIAN_TARGET, _TAIL_TARGET, _GROWTH_TARGET = 4.0, 10.0, 2.5
_SECONDS_TARGET = 1.0


def measure(bench: Run) -> list[Figure]:
    """Two databases of one server, each with an API of its own, asked in turn."""
    items = bench.size(100_000, 3_000)
    with nexus_stack() as small:
        large = small.beside("nexus_large")
        _fill(bench, small, 1_000)
        texts = _fill(bench, large, items)
        with small.api(), large.api():
            queries = texts.queries(bench.size(1_500, 200))
            for stack in (small, large):
                for person in (READER, NEIGHBOUR):
                    run(stack.api_socket, _searches(stack, person, texts.queries(60)))
                run(stack.api_socket, _lists(stack, 60))
            return [
                *_against_lists(bench, large, queries),
                _growth(bench, "search, 1,000 → 100,000 items", small, large, READER, queries),
                _growth(bench, "search of a neighbour", small, large, NEIGHBOUR, queries),
                *_hostile(bench, large, bench.size(10_000, 500)),
            ]


def _fill(bench: Run, stack: Stack, items: int) -> Texts:
    bench.say(f"search: loading {items:,} texts")
    with stack.connect() as connection:
        assert stack.settings.database_url is not None
        return load_texts(connection, stack.settings.database_url, items=items)


def _searches(stack: Stack, person: UUID, queries: list[str]) -> list[bytes]:
    headers = stack.headers(person)
    return [request("GET", f"/search?q={in_address(query)}", headers) for query in queries]


def _lists(stack: Stack, count: int) -> list[bytes]:
    return [request("GET", "/media?limit=50", stack.headers(READER))] * count


def _against_lists(bench: Run, stack: Stack, queries: list[str]) -> list[Figure]:
    bench.say(f"search: {len(queries):,} queries against lists")
    socket = stack.api_socket
    searched, listed = take_turns(
        [(socket, _searches(stack, READER, queries)), (socket, _lists(stack, len(queries)))]
    )
    milliseconds = f"{searched.median * 1000:.1f} ms against {listed.median * 1000:.1f} ms"
    tail = searched.quantile(0.99)
    return [
        Figure(
            "search, against a list of 50: median",
            searched.median / listed.median,
            "×",
            at_most=_MEDIAN_TARGET,
            note=milliseconds,
        ),
        Figure(
            "search, against a list of 50: p99",
            tail / listed.quantile(0.99),
            "×",
            at_most=_TAIL_TARGET,
            note=f"{tail * 1000:.1f} ms against {listed.quantile(0.99) * 1000:.1f} ms; "
            f"{tail / listed.median:.1f} × the list's median",
        ),
    ]


def _growth(
    bench: Run, name: str, small: Stack, large: Stack, person: UUID, queries: list[str]
) -> Figure:
    bench.say(f"search: {name}")
    sides = [(stack.api_socket, _searches(stack, person, queries)) for stack in (small, large)]
    few, many = take_turns(sides)
    note = f"{many.median * 1000:.1f} ms against {few.median * 1000:.1f} ms"
    if person == NEIGHBOUR:
        note += ": 50 items of their own, beside 1,000 or 100,000 of somebody else"
    return Figure(name, many.median / few.median, "×", at_most=_GROWTH_TARGET, note=note)


def _hostile(bench: Run, stack: Stack, count: int) -> list[Figure]:
    bench.say(f"search: {count:,} hostile queries")
    taken, refused = Timings(), 0
    slowest = (0.0, "")
    headers = stack.headers(READER)
    connection = Connection(stack.api_socket)
    try:
        for query in hostile_queries(random.Random(7), count):
            started = time.perf_counter()
            status = connection.status(request("GET", f"/search?q={in_address(query)}", headers))
            taken.seconds.append(time.perf_counter() - started)
            slowest = max(slowest, (taken.seconds[-1], query))
            if status not in (200, 400):
                raise RuntimeError(f"{status} for {query!r}")
            refused += status == 400
    finally:
        connection.close()
    return [
        Figure(
            f"search, the slowest of {count:,} hostile queries",
            max(taken.seconds),
            "s",
            at_most=_SECONDS_TARGET,
            note=f"{refused} refused, none failed; median {taken.median * 1000:.1f} ms;"
            f" the slowest: {slowest[1][:80]!a}",
        )
    ]

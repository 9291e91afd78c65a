"""Many articles and many requests of every sort, while anything is killed at any moment."""

import math
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg

from tests.faults.killer import Killer, Outage, wait_past
from tests.faults.memory import MIB, TOLERANCE, Sample, growth, sampling
from tests.faults.reader import Saved
from tests.faults.scene import Scene
from tests.faults.stack import Stack
from tests.faults.visitor import Visitor
from tests.live import wait_for

ARTICLES, REQUESTS, KILLS = 1000, 2000, 60
_VISITORS = 4
_SEED = 7
# Few enough to be read in the two minutes after the last kill, whatever that was.
_IN_FLIGHT = 60
_AT_ONCE = 10
_UNFINISHED = """
SELECT count(*) FROM media
WHERE kind = 'web_article' AND processing_status IN ('pending', 'extracting')
"""


def soak(scene: Scene) -> list[Saved]:
    """The long form."""
    return soak_with(scene, articles=ARTICLES, requests=REQUESTS, kills=KILLS)


def soak_with(scene: Scene, *, articles: int, requests: int, kills: int) -> list[Saved]:
    """Saving sets the pace; requests and kills are spread over all of it."""
    stack, pace = scene.stack, _Pace(articles)
    killer = Killer(stack, kills=kills, seed=_SEED)
    picture = f"{scene.site.origin}/picture/{scene.name}"
    visitors = [Visitor(stack.origin, picture=picture, seed=seed) for seed in range(_VISITORS)]
    with sampling(stack.memory, pace.progress) as memory, ThreadPoolExecutor() as pool:
        others = [pool.submit(_visit, visitor, requests // _VISITORS, pace) for visitor in visitors]
        others.append(pool.submit(killer.kill_on, pace.progress))
        try:
            _save(scene, pace)
        finally:
            pace.is_over = True
        for other in others:
            other.result()
    scene.note(f"{killer.killed.total()} kills: {_counted(killer.killed)}")
    _judge_memory(scene, memory)
    scene.afterwards.append(lambda: _judge_requests(scene, visitors, killer))
    return pace.saved


class _Pace:
    """How far saving has come: what everybody else goes by."""

    def __init__(self, articles: int) -> None:
        self.articles = articles
        self.saved: list[Saved] = []
        self.is_over = False

    def progress(self) -> float:
        return 1.0 if self.is_over else len(self.saved) / self.articles


def _save(scene: Scene, pace: _Pace) -> None:
    urls = scene.urls(pace.articles, wait_ms=0)
    for first in range(0, len(urls), _AT_ONCE):
        wait_for(
            lambda: _unfinished(scene.stack) < _IN_FLIGHT,
            what="room for more articles",
        )
        pace.saved += scene.reader.save_all(urls[first : first + _AT_ONCE])


def _unfinished(stack: Stack) -> float:
    try:
        return float(stack.rows(_UNFINISHED)[0][0])
    except psycopg.OperationalError:
        # Postgres may have been killed.
        return math.inf


def _visit(visitor: Visitor, requests: int, pace: _Pace) -> None:
    while visitor.answered < requests:
        wait_past(visitor.answered / requests, pace.progress)
        visitor.do_something()


def _judge_memory(scene: Scene, samples: Sequence[Sample]) -> None:
    grown = growth(samples)
    if grown is None:
        scene.note("memory not judged, too short")
        return
    highest = max(size for _, size in samples) // MIB
    scene.note(f"memory x{grown:.2f} after the warm-up, at most {highest} MiB")
    scene.check(grown <= TOLERANCE, f"memory grew {grown:.2f} times")


def _judge_requests(scene: Scene, visitors: Sequence[Visitor], killer: Killer) -> None:
    """Once everything is up: is all there that was accepted, and was every refusal excused?"""
    unclear = [each for visitor in visitors for each in visitor.unclear]
    judge_visits(scene, visitors, killer.outages)
    answered = sum(visitor.answered for visitor in visitors)
    written = sum(visitor.written for visitor in visitors)
    scene.note(f"{answered} requests, {len(unclear)} more met an outage, {written} things written")


def judge_visits(scene: Scene, visitors: Sequence[Visitor], outages: Sequence[Outage]) -> None:
    """Everything accepted must be there, and nothing refused unless something was down."""
    for visitor in visitors:
        scene.problems += [
            f"nothing was down, but {each.asked}: {each.answer}"
            for each in visitor.unclear
            if not any(outage.excuses(each.began, each.ended) for outage in outages)
        ]
        scene.problems += [*visitor.problems, *visitor.lost()]
        visitor.close()


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))

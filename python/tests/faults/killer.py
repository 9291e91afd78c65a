"""SIGKILL to anything, at moments and in an order that a seed decides."""

import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psutil

from tests.faults.stack import Stack
from tests.live import wait_for

PARTS = ("api", "bff", "redis", "postgres", "worker")
_BELOW = ("pool", "node", "browser", "postgres backend")
# Without these a request may fail; all the others are nobody's business but the articles'.
_NEEDED = {"api", "bff", "redis", "postgres", "postgres backend"}
# What was broken answers again before the last request that met it has ended.
_GRACE_SECONDS = 3.0


@dataclass(frozen=True)
class Outage:
    """From a kill until everything answered again."""

    began: float
    ended: float

    def excuses(self, began: float, ended: float) -> bool:
        """Whether a request of that time may have met it."""
        return began <= self.ended + _GRACE_SECONDS and ended >= self.began


class Killer:
    """Kills when the work has come so far, `kills` times over its whole length."""

    def __init__(self, stack: Stack, *, kills: int, seed: int) -> None:
        chance = random.Random(seed)
        self._stack = stack
        self._chance = chance
        self._moments = sorted(chance.random() for _ in range(kills))
        self._victims = _shuffled_rounds(chance, kills)
        self.outages: list[Outage] = []
        self.killed: Counter[str] = Counter()

    def kill_on(self, progress: Callable[[], float]) -> None:
        """Kill until all moments have come; `progress` grows from 0 to 1."""
        for moment, victim in zip(self._moments, self._victims, strict=True):
            wait_past(moment, progress)
            self._kill(victim)

    def _kill(self, victim: str) -> None:
        began = time.time()
        if victim in PARTS:
            was = self._stack.kill(victim)
            self.killed[victim] += 1
            if victim in _NEEDED:
                self._stack.wait_restarted(victim, was)
        else:
            self._kill_below(victim)
        if victim in _NEEDED:
            self._stack.wait_all_answer()
            self.outages.append(Outage(began, time.time()))

    def _kill_below(self, victim: str) -> None:
        stack = self._stack
        below = {
            "pool": stack.pool,
            "node": stack.nodes,
            "browser": stack.browsers,
            "postgres backend": stack.backends,
        }
        processes: Sequence[psutil.Process] = below[victim]()
        with contextlib.suppress(psutil.Error):
            if processes:
                self._chance.choice(processes).kill()
                self.killed[victim] += 1


def wait_past(share: float, progress: Callable[[], float]) -> None:
    """Return when more than that share of the work is done."""
    wait_for(lambda: progress() > share, what="the work goes on", every=0.02)


def _shuffled_rounds(chance: random.Random, count: int) -> list[str]:
    """Everybody once, in any order; then everybody once more; and so on."""
    victims: list[str] = []
    while len(victims) < count:
        victims += chance.sample([*PARTS, *_BELOW], len(PARTS) + len(_BELOW))
    return victims[:count]

"""Faults that pages bring with them."""

import time
from urllib.parse import urlsplit

from tests.faults.outcome import Row, look
from tests.faults.reader import Saved
from tests.faults.scene import Scene

# The wall clock of one article: as long as a neighbour may have to wait for a poisonous one.
ARTICLE_SECONDS = 40.0
_MAX_ATTEMPTS = 3
_VICTIMS = ("browser", "node", "worker")


def one_address_many_times(scene: Scene) -> list[Saved]:
    """The same address from everywhere at once: one item, one text, everybody's."""
    url = scene.urls(1)[0]
    saved = scene.reader.save_all([url] * scene.articles, at_once=scene.articles)
    scene.wait_ready(saved, 1)
    scene.wait(lambda: len(_left(scene, saved)) == 1, "all are merged into one")
    return saved


def _left(scene: Scene, saved: list[Saved]) -> list[Row]:
    return [row for row in look(scene.stack, saved) if row.status != "merged"]


def poison(scene: Scene) -> list[Saved]:
    """Pages that kill what reads them, among others that must not wait for them."""
    alone, _ = _seconds_to_read(scene, "alone", [])
    poisonous = [scene.site.poison(victim, f"{scene.name}/page") for victim in _VICTIMS]
    beside, saved = _seconds_to_read(scene, "beside", poisonous)
    # The first of the neighbours against the first, the second against the second, and so on.
    delay = max(late - usual for late, usual in zip(beside, alone, strict=True))
    scene.note(f"no neighbour delayed by more than {max(0.0, delay):.1f} s")
    scene.check(delay <= ARTICLE_SECONDS, f"a neighbour had to wait {delay:.0f} s")
    # The page that kills its worker is tried again each time its lease has run out.
    scene.afterwards.append(lambda: _check_kills(scene, poisonous))
    return saved


def _check_kills(scene: Scene, poisonous: list[str]) -> None:
    kills = [scene.site.kills[urlsplit(url).path] for url in poisonous]
    scene.note(f"killed {', '.join(f'{v} {k}x' for v, k in zip(_VICTIMS, kills, strict=True))}")
    scene.check(kills == [_MAX_ATTEMPTS] * len(kills), f"not three tries each: {kills}")
    used = scene.stack.rows(
        "SELECT processing_attempts - interrupted_attempts, last_error_message FROM media"
        " WHERE requested_url = ANY(%s) AND processing_status = 'failed'",
        poisonous,
    )
    scene.check(len(used) == len(poisonous), f"only {len(used)} of them failed")
    scene.check(all(tries == 0 for tries, _ in used), f"the person's retries were used: {used}")


def _seconds_to_read(
    scene: Scene, part: str, poisonous: list[str]
) -> tuple[list[float], list[Saved]]:
    """After how long each neighbour could be read, in that order; and everything that was saved."""
    began = time.time()
    bad = scene.reader.save_all(poisonous)
    neighbours = scene.save(scene.articles // 2, part=part)
    scene.wait_ready(neighbours, len(neighbours))
    ready = sorted(row.changed_at or began for row in look(scene.stack, neighbours))
    return [at - began for at in ready], bad + neighbours

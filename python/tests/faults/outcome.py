"""What became of the addresses that were saved: the invariants, asked of the database."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from nexus.waiting import wait_until
from tests.faults.reader import Reader, Saved
from tests.faults.stack import RECOVERY_LIMIT_SECONDS, Stack

MAX_ATTEMPTS = 3

_ENDED = ("ready_for_reading", "failed", "merged")
# Rows of answers that never arrived are jobs too: what was committed must end as well.
_ROWS = """
SELECT created.media_id::text, created.url,
       CASE WHEN alias.alias_id IS NOT NULL AND media.id IS NULL THEN 'merged'
            ELSE coalesce(processing_status, 'gone') END,
       coalesce(processing_attempts, 0), last_error_code, last_error_message,
       (SELECT count(*) FROM fragments WHERE media_id = created.media_id),
       (SELECT count(*) FROM faults.changes
         WHERE media_id = created.media_id AND became = 'extracting'),
       (SELECT count(*) FROM faults.changes
         WHERE media_id = created.media_id AND became = 'ready_for_reading'),
       extract(epoch FROM coalesce(alias.created_at,
           (SELECT max(at) FROM faults.changes WHERE media_id = created.media_id)))::float
FROM faults.created
LEFT JOIN media ON media.id = created.media_id
LEFT JOIN media_aliases alias ON alias.alias_id = created.media_id
WHERE created.url = ANY(%s)
"""


@dataclass
class Row:
    """One item as it is now, or what it was merged into."""

    id: str
    url: str
    status: str
    attempts: int
    code: str | None
    message: str | None
    fragments: int
    claims: int
    successes: int
    changed_at: float | None
    """Seconds since the epoch."""

    def problems(self) -> list[str]:
        """What is wrong with an item that has ended."""
        if self.status == "merged":
            return []
        ready = self.status == "ready_for_reading"
        wrong = {
            f"{self.fragments} fragments": self.fragments != (1 if ready else 0),
            f"{self.attempts} attempts for {self.claims} claims": self.attempts != self.claims,
            f"{self.attempts} attempts": not 1 <= self.attempts <= MAX_ATTEMPTS,
            f"made ready {self.successes} times": self.successes != (1 if ready else 0),
            "failed without a reason": not ready and not (self.code and self.message),
        }
        return [f"{self.url}: {problem}" for problem, holds in wrong.items() if holds]


@dataclass
class Outcome:
    """The end of one fault."""

    jobs: int = 0
    ready: int = 0
    failed: int = 0
    merged: int = 0
    recovery: float = 0.0
    lost: list[str] = field(default_factory=list)
    duplicated: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def settle(
    stack: Stack,
    reader: Reader,
    saved: Sequence[Saved],
    *,
    last_fault: float,
    own_fault: float | None = None,
    within: float = RECOVERY_LIMIT_SECONDS,
) -> Outcome:
    """Wait until everything saved has ended, then look at all of it.

    What has not ended `within` so many seconds of the last fault of all is lost; recovery is
    counted from the last of the fault's own, when others followed it.
    """
    outcome = Outcome()
    left = max(0.0, within - (time.time() - last_fault))
    wait_until(lambda: _all_ended(stack, saved), within=left, every=0.5)
    rows = look(stack, saved)
    ended = [row.changed_at for row in rows if row.changed_at]
    began = last_fault if own_fault is None else own_fault
    outcome.recovery = max([0.0, *(at - began for at in ended)])
    count = Counter(row.status for row in rows)
    outcome.jobs = len(rows)
    outcome.ready, outcome.failed = count["ready_for_reading"], count["failed"]
    outcome.merged = count["merged"]
    outcome.lost = [f"{row.url}: {row.status}" for row in rows if row.status not in _ENDED]
    outcome.lost += _not_found(reader, saved)
    outcome.problems = [
        problem for row in rows if row.status in _ENDED for problem in row.problems()
    ]
    ready = Counter(row.url for row in rows if row.status == "ready_for_reading")
    outcome.duplicated = [url for url, times in ready.items() if times > 1]
    return outcome


def look(stack: Stack, saved: Sequence[Saved]) -> list[Row]:
    """Every item of these addresses, those whose answer was lost included."""
    return [Row(*row) for row in stack.rows(_ROWS, list({item.url for item in saved}))]


def _not_found(reader: Reader, saved: Sequence[Saved]) -> list[str]:
    """What the person who saved it cannot see."""
    answers = [(item, reader.ask("GET", f"/api/media/{item.media_id}")) for item in saved]
    return [
        f"{item.url}: its reader gets {answer}"
        for item, answer in answers
        if answer is None or answer.status_code != 200
    ]


def _all_ended(stack: Stack, saved: Sequence[Saved]) -> bool:
    try:
        return all(row.status in _ENDED for row in look(stack, saved))
    except psycopg.OperationalError:
        # Postgres may be what is being restarted.
        return False

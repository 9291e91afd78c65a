"""`make faults`: breaks a real Nexus in every way it must survive, and prints what became of it."""

import argparse
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.faults import (
    crowd_faults,
    import_faults,
    page_faults,
    pdf_faults,
    process_faults,
    server_faults,
    soak,
)
from tests.faults.disk import small_disk, why_no_small_disk
from tests.faults.disk_faults import MIB_OF_DISK, damage, disk_full
from tests.faults.outcome import Outcome, settle
from tests.faults.reader import Highlighter, Reader, Saved
from tests.faults.scene import Fault, Scene
from tests.faults.site import Site
from tests.faults.stack import DATA, Stack, running_in, running_stack, temporary_folder

EXPECTED_SECONDS = 15 * 60
# Every wait has its limit; this one only keeps their sum from being endless, on a busy machine too.
LIMIT_SECONDS = 60 * 60

# Faults of a group follow each other without a pause and recover together: nothing heals at once
# in real life either, and waiting for every lease again would take twice as long.
GROUPS: list[dict[str, Fault]] = [
    {
        "API killed between commit and enqueue": process_faults.api_killed_before_enqueue,
        "API killed while answering": process_faults.api_killed_in_flight,
    },
    {
        "Node killed": process_faults.node_killed,
        "browser killed": process_faults.browser_killed,
        "worker killed at claim, fetch, store": process_faults.worker_killed_at_each_stage,
    },
    {
        "PDF: its process killed": pdf_faults.pdf_reader_killed,
        "PDF: worker killed": pdf_faults.worker_killed_over_pdf,
    },
    {"import: API and worker killed": import_faults.import_cut_off},
    {
        "Redis flushed": server_faults.redis_flushed,
        "Redis killed": server_faults.redis_killed,
        "Postgres restarted, then killed": server_faults.postgres_restarted,
    },
    {"Redis gone for 60 s": server_faults.redis_gone},
    {"worker paused past its lease": process_faults.worker_paused},
    {"everything frozen for 60 s": process_faults.everything_frozen},
    {
        "poisonous pages": page_faults.poison,
        "every message delivered twice": server_faults.delivered_twice,
        "one address saved 50 times at once": page_faults.one_address_many_times,
    },
    {"anything killed, at random": process_faults.anything_killed},
    {"soak: anything killed, all the while": soak.soak},
    # The last ones: with several accounts nobody has all workers any more.
    {"crowd: 300 saves of one person": crowd_faults.hoard_of_saves},
    {"crowd: 8 hanging pages of one person": crowd_faults.hanging_pages},
    {
        "crowd: 200 streams of ten accounts": crowd_faults.many_streams,
        "crowd: 500 slow images of one": crowd_faults.slow_images,
        "crowd: a flood of requests": crowd_faults.flood_of_requests,
        "crowd: 900 half-sent heads": crowd_faults.half_sent_heads,
    },
]

DISK_FULL = "disk full"

_COLUMNS = "{:<38} {:>5} {:>6} {:>7} {:>7} {:>5} {:>11} {:>9} {:>8}  {}"
_HEADINGS = ("fault", "jobs", "ready", "failed", "merged", "lost", "duplicated", "recovery")


@dataclass
class Line:
    """One fault in the table."""

    name: str
    outcome: Outcome
    orphans: list[str]
    notes: list[str]
    problems: list[str]

    def __str__(self) -> str:
        outcome = self.outcome
        return _COLUMNS.format(
            self.name,
            outcome.jobs,
            outcome.ready,
            outcome.failed,
            outcome.merged,
            len(outcome.lost),
            len(outcome.duplicated),
            f"{outcome.recovery:.1f} s",
            len(self.orphans),
            "; ".join(self.notes),
        )

    def details(self) -> list[str]:
        """What went wrong, a line each."""
        lists = (self.outcome.lost, self.outcome.duplicated, self.outcome.problems)
        return [text for each in (*lists, self.problems, self.orphans) for text in each[:10]]


def say(text: str) -> None:
    """Each line as soon as it is known."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def inject(fault: Fault, scene: Scene) -> list[Saved]:
    """Break something; what cannot be broken as planned is a problem of its own."""
    try:
        return fault(scene)
    except Exception as error:  # the next fault is worth knowing too
        scene.problems.append(f"{type(error).__name__}: {error}")
        return []


def run_group(scenes: dict[str, Scene], faults: dict[str, Fault]) -> list[Line]:
    """The faults of a group, one after the other, then the look at what they left."""
    injected = [(inject(fault, scenes[name]), time.time()) for name, fault in faults.items()]
    last_fault = time.time()
    lines = []
    for (name, scene), (saved, own_fault) in zip(scenes.items(), injected, strict=True):
        outcome = settle(
            scene.stack, scene.reader, saved, last_fault=last_fault, own_fault=own_fault
        )
        for look in scene.afterwards:
            look()
        lines.append(Line(name, outcome, scene.stack.orphans(), scene.notes, scene.problems))
    return lines


def run(stack: Stack, site: Site, groups: list[dict[str, Fault]], articles: int) -> list[str]:
    """All faults, group by group, on the same data; somebody writes highlights all the while.

    Answers everything that went wrong, until and with the end of the stack.
    """
    reader = Reader(stack.origin)
    wrong: list[str] = []
    with Highlighter(reader).writing() as highlighter:
        for number, group in enumerate(groups):
            scenes = {
                name: Scene(stack, site, reader, f"fault-{number}-{place}", articles)
                for place, name in enumerate(group)
            }
            done = run_group(scenes, group)
            lost = highlighter.lost()
            if lost:
                done[-1].problems.append(f"{lost} highlights are gone")
            for line in done:
                say(str(line))
                wrong += told(line.details())
    reader.close()
    code, left = stack.stop()
    say(
        f"{len(highlighter.accepted)} highlights were written meanwhile. "
        f"Stopped with status {code}, {len(left)} processes left."
    )
    return wrong + told([] if code == 0 else ["it had to be killed"]) + told(left)


def told(problems: list[str]) -> list[str]:
    """The same, once it was said."""
    for problem in problems:
        say(f"    {problem}")
    return problems


def run_on_small_disk(site: Site, articles: int, logs: Path | None) -> list[str]:
    """The fault that needs a disk of its own, and so a stack of its own."""
    if reason := why_no_small_disk():
        say(f"{DISK_FULL:<38} skipped: {reason}")
        return []
    with temporary_folder() as root, small_disk(root / DATA, mib=MIB_OF_DISK) as disk:
        faults: dict[str, Fault] = {DISK_FULL: lambda scene: disk_full(scene, disk)}
        with running_in(root, logs=logs) as stack:
            wrong = run(stack, site, [faults], articles)
        return wrong + told(damage(stack.layout.postgres.data))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=50, help="in flight for each fault")
    parser.add_argument("--only", default="", help="faults whose name contains this")
    parser.add_argument("--logs", type=Path, help="keep the logs of the stack in this folder")
    options = parser.parse_args()
    # Stopped by anybody, it still stops what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped before the end."))
    too_long = (
        f"Not done within {LIMIT_SECONDS // 60} minutes: the machine is too slow or too busy."
    )
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(too_long))
    signal.alarm(LIMIT_SECONDS)
    groups = [
        {name: fault for name, fault in group.items() if options.only in name} for group in GROUPS
    ]
    chosen = [group for group in groups if group]
    if not chosen and options.only not in DISK_FULL:
        # Nothing that ran is nothing that held.
        parser.error(f"no fault is called {options.only!r}")
    began, wrong = time.monotonic(), list[str]()
    say(_COLUMNS.format(*_HEADINGS, "orphans", "notes"))
    with Site().serving() as site:
        if chosen:
            with running_stack(logs=options.logs) as stack:
                wrong += run(stack, site, chosen, options.articles)
        if options.only in DISK_FULL:
            wrong += run_on_small_disk(site, options.articles, options.logs)
    seconds = time.monotonic() - began
    say(f"{seconds:.0f} s in all.")
    if seconds > EXPECTED_SECONDS:
        say(f"That is more than {EXPECTED_SECONDS} s: the machine has other things to do.")
    say("NOT everything held." if wrong else "Everything held.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

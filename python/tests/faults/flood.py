"""An account that asks as fast as it can, from a process of its own.

A flood comes from elsewhere: the victim's client must not share an interpreter with it, and the
servers not a processor, as far as the scheduler can help it.
"""

import contextlib
import http.client
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

_CONNECTIONS = 8
_PATH = "/api/me"
_REPORT_EVERY = 100


@dataclass
class Flood:
    """What the flood was told so far: how often each status came."""

    answers: Counter[str] = field(default_factory=Counter)


@contextlib.contextmanager
def flood(client: httpx.Client) -> Iterator[Flood]:
    """Ask with the client's session until the block ends."""
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(client.base_url)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    found = Flood()
    listener = threading.Thread(target=_listen, args=(process.stdout, found), daemon=True)
    listener.start()
    try:
        process.stdin.write(cookies + "\n")
        process.stdin.flush()
        yield found
    finally:
        process.stdin.close()
        listener.join(30)
        process.wait(30)


def _listen(lines: Iterator[str], found: Flood) -> None:
    for line in lines:
        found.answers = Counter(json.loads(line))


def _ask_on(origin: str, cookies: str, answers: Counter[str], stop: threading.Event) -> None:
    host = urlsplit(origin)
    connection = http.client.HTTPConnection(str(host.hostname), host.port, timeout=30)
    while not stop.is_set():
        connection.request("GET", _PATH, headers={"Cookie": cookies, "Origin": origin})
        response = connection.getresponse()
        body = response.read()
        code = "" if response.status == 200 else f" {json.loads(body)['error']['code']}"
        answers[f"{response.status}{code}"] += 1
        if answers.total() % _REPORT_EVERY == 0:
            _report(answers)
    connection.close()


def _report(answers: Counter[str]) -> None:
    sys.stdout.write(json.dumps(answers) + "\n")
    sys.stdout.flush()


def main() -> None:
    os.nice(19)
    origin, cookies = sys.argv[1], sys.stdin.readline().strip()
    answers: Counter[str] = Counter()
    stop = threading.Event()
    threads = [
        threading.Thread(target=_ask_on, args=(origin, cookies, answers, stop))
        for _ in range(_CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    stop.set()
    for thread in threads:
        thread.join()
    _report(answers)


if __name__ == "__main__":
    main()

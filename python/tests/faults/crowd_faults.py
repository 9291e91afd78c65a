"""What some people do must not be felt by others: long queues, streams, images, half requests."""

import contextlib
import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx

from nexus.services.media_events import MAX_STREAMS_PER_USER
from nexus.waiting import wait_until
from tests.faults.flood import flood
from tests.faults.reader import Reader, Saved
from tests.faults.scene import Scene

_HANGS_MS = 120_000
# Below this nobody notices twice as long.
_FLOOR_SECONDS = 0.05
_HEAD_SECONDS = 10.0
_LIMITS = {"429 E_RATE_LIMITED", "429 E_QUOTA_EXCEEDED", "503 E_UNAVAILABLE"}


def hoard_of_saves(scene: Scene) -> list[Saved]:
    """300 articles of one person, and another person's next one."""
    return hoard(scene, scene.site.urls(f"{scene.name}/hoard", 300, wait_ms=300))


def hanging_pages(scene: Scene) -> list[Saved]:
    """Eight pages of one person that never come, and another person's next article."""
    return hoard(scene, scene.site.urls(f"{scene.name}/hanging", 8, wait_ms=_HANGS_MS))


def hoard(scene: Scene, urls: Sequence[str]) -> list[Saved]:
    """Save all that as one person; then another person's articles, each of which has its turn."""
    with _person(scene) as hoarder:
        hoarded = hoarder.save_all(urls)
        scene.wait(lambda: bool(scene.site.under_way), "the hoard is being read")
        others = [_save_and_wait(scene, f"during-{number}") for number in range(3)]
        most = max(_begun_before(scene, hoarded, other) for other in others)
        scene.note(f"{most} of {len(urls)} read before the next one of another person")
        scene.check(most <= len(urls) // 5, f"{most} of the hoard were read first")
        # Gone again: nobody wants to wait for them.
        with ThreadPoolExecutor(10) as pool:
            list(
                pool.map(lambda item: hoarder.ask("DELETE", f"/api/media/{item.media_id}"), hoarded)
            )
    return others


def _save_and_wait(scene: Scene, part: str) -> Saved:
    (saved,) = scene.save(1, part=part)
    scene.wait_ready([saved], 1)
    return saved


def _begun_before(scene: Scene, hoarded: Sequence[Saved], other: Saved) -> int:
    """Number of the hoard whose reading began while that article waited for its turn."""
    query = """
        SELECT count(*) FROM faults.changes hoard, media other
        WHERE hoard.media_id = ANY(%s::uuid[]) AND hoard.became = 'extracting' AND other.id = %s
          AND hoard.at BETWEEN other.created_at AND (
            SELECT min(at) FROM faults.changes
            WHERE media_id = other.id AND became = 'extracting')
    """
    ids = [item.media_id for item in hoarded]
    count: int = scene.stack.rows(query, ids, other.media_id)[0][0]
    return count


def many_streams(scene: Scene) -> list[Saved]:
    """Ten accounts with as many event streams as they may have."""
    with contextlib.ExitStack() as stack:
        usual = _median(scene)
        for _ in range(10):
            client = stack.enter_context(_signed_up(scene))
            for _ in range(MAX_STREAMS_PER_USER):
                stream = stack.enter_context(client.stream("GET", "/api/media/events"))
                scene.check(stream.status_code == 200, f"a stream got {stream.status_code}")
        _check_served(scene, usual)
        own = scene.reader.listen("/api/media/events")
        scene.check(own is not None and own.is_success, "there is no stream left for others")
    return []


def slow_images(scene: Scene) -> list[Saved]:
    """500 images of one account, none of which comes."""
    addresses = scene.site.urls(f"{scene.name}/image", 500, wait_ms=_HANGS_MS)
    with _person(scene) as attacker:
        usual = _median(scene)
        stop = threading.Event()

        def fetch(url: str) -> None:
            if not stop.is_set():
                attacker.ask("GET", "/api/media/image", params={"url": url})

        pool = ThreadPoolExecutor(len(addresses))
        for address in addresses:
            pool.submit(fetch, address)
        scene.wait(lambda: attacker.answers["429 E_RATE_LIMITED"] > 0, "too many are refused")
        _check_served(scene, usual)
        stop.set()
        pool.shutdown(cancel_futures=True)
        _check_answers(scene, attacker.answers)
    return []


def flood_of_requests(scene: Scene) -> list[Saved]:
    """One account that asks as fast as it can."""
    with _person(scene) as attacker:
        usual = _median(scene)
        with flood(attacker.client) as attack:
            # How soon it is refused depends on the machine; that it is, on other tests.
            scene.wait(lambda: attack.answers.total() > 500, "the flood is on")
            _check_served(scene, usual)
        _check_answers(scene, attack.answers)
    return []


def half_sent_heads(scene: Scene) -> list[Saved]:
    """900 connections that begin a request and leave it at that."""
    usual = _median(scene)
    address = urlsplit(scene.stack.origin)
    assert address.port
    with contextlib.ExitStack() as stack:
        clients = []
        for _ in range(900):
            client = socket.create_connection(("127.0.0.1", address.port), timeout=10)
            client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            client.setblocking(False)
            clients.append(stack.enter_context(client))
        began = time.monotonic()
        _check_served(scene, usual)
        wait_until(lambda: not any(map(_is_open, clients)), within=2 * _HEAD_SECONDS, every=0.5)
        seconds, left = time.monotonic() - began, sum(map(_is_open, clients))
        scene.note(f"{left} of 900 half-sent heads open after {seconds:.0f} s")
        scene.check(left == 0, f"{left} half-sent heads are still open")
    return []


def _is_open(client: socket.socket) -> bool:
    try:
        return client.recv(100) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _check_served(scene: Scene, usual: float) -> None:
    """The victim's requests take no more than twice as long; asked twice, for hiccups."""
    limit = max(2 * usual, _FLOOR_SECONDS)
    taken = _median(scene)
    if taken > limit:
        taken = _median(scene)
    scene.note(f"requests usually {usual * 1000:.0f} ms, meanwhile {taken * 1000:.0f} ms")
    scene.check(taken <= limit, f"requests took {taken:.3f} s, usually {usual:.3f} s")


def _median(scene: Scene) -> float:
    return statistics.median(_seconds(lambda: scene.reader.get("/api/media")) for _ in range(25))


def _seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def _check_answers(scene: Scene, answers: Counter[str]) -> None:
    """What an attacker is told: a limit, or that the picture did not come; never a breakdown."""
    scene.note(f"attacker: {dict(answers)}")
    odd = {
        name for name in answers if name[0] == "5" and name not in _LIMITS and "IMAGE" not in name
    }
    scene.check(not odd, f"the attacker got {odd}")


@contextlib.contextmanager
def _person(scene: Scene) -> Iterator[Reader]:
    reader = Reader(scene.stack.origin, connections=None)
    try:
        yield reader
    finally:
        reader.close()


@contextlib.contextmanager
def _signed_up(scene: Scene) -> Iterator[httpx.Client]:
    """A client of a new account, with as many connections as it likes."""
    with _person(scene) as reader:
        yield reader.client

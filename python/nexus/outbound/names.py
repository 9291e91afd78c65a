"""Looking up names within a time limit."""

import socket
import threading
from queue import Empty, SimpleQueue

DNS_SECONDS = 5.0


def system_resolve(host: str, seconds: float = DNS_SECONDS) -> list[str]:
    """All addresses of a name. The system's own lookup has no time limit; this has."""
    answers: SimpleQueue[list[str]] = SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            answers.put([str(entry[4][0]) for entry in found])
        except (OSError, UnicodeError):
            answers.put([])

    threading.Thread(target=ask, daemon=True, name="dns").start()
    try:
        return answers.get(timeout=seconds)
    except Empty:
        return []

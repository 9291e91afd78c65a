"""The requests that the route benchmarks send."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bench.dataset import TARGETS, Dataset
from bench.load import request

Messages = Callable[[int], list[bytes]]
"""So many requests of one kind."""

ROUTES = ("list_highlights", "create_highlight", "list_media")
LABELS = {
    "list_highlights": "list highlights (200)",
    "create_highlight": "create highlight",
    "list_media": "list media",
}


@dataclass
class Requests:
    """Requests to the routes of a Nexus that holds a dataset, and to the bare ones beside them."""

    dataset: Dataset
    headers: dict[str, str]
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def real(self, route: str, count: int) -> list[bytes]:
        make = {
            "list_highlights": self._list_highlights,
            "create_highlight": self._create_highlight,
            "list_media": self._list_media,
        }[route]
        return [make(next(self._numbers)) for _ in range(count)]

    def bare(self, route: str, count: int) -> list[bytes]:
        path = f"/bare/{route}"
        if route == "create_highlight":
            _, body = self.dataset.creation(0)
            return [request("POST", path, self.headers, body)] * count
        return [request("GET", path, self.headers)] * count

    def _list_highlights(self, number: int) -> bytes:
        article = self.dataset.to_read[number % TARGETS]
        return request("GET", f"/fragments/{article.fragment_id}/highlights", self.headers)

    def _create_highlight(self, number: int) -> bytes:
        fragment_id, body = self.dataset.creation(number)
        return request("POST", f"/fragments/{fragment_id}/highlights", self.headers, body)

    def _list_media(self, _number: int) -> bytes:
        return request("GET", "/media", self.headers)

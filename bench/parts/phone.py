"""Nexus on a phone: a slow processor on a slow network, as Chromium imitates them."""

import statistics
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.chromium import launch_options
from bench.figures import Figure
from bench.front import Reader, front, signed_up
from bench.phone_library import fill
from bench.ports import free_port
from bench.run import Run
from bench.sequence import WATCH, requests_in_sequence
from bench.stack import nexus_stack

_SLOWDOWN = 4
_NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
_PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
# As far as people notice; Chromium's own measure.
_SHIFT_TARGET = 0.1
_IN_SEQUENCE = 1

# Notes when the list or the text is there, what shifts, and how long the page does not respond.
_NOTE = """(() => {
  window.seen = { shift: 0, blocked: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blocked += duration - 50;
  }).observe({ type: "longtask", buffered: true });
  const look = () => {
    if (document.querySelector("[data-row], article section > *")) seen.at = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()"""
# No request was under way for a while, and what came with the last is drawn.
_IS_QUIET = """() => {
  const ends = performance.getEntriesByType("resource").map((entry) => entry.responseEnd);
  return seen.at && performance.now() - Math.max(...ends, seen.at) > 1500;
}"""
_TAP = """(address) => new Promise((resolve) => {
  const started = performance.now();
  const look = () => {
    if (document.querySelector("article section > *")) resolve(performance.now() - started);
    else requestAnimationFrame(look);
  };
  document.querySelector(`a[href="${address}"]`).click();
  look();
})"""


@dataclass
class _Visit:
    """What a page noted."""

    at: float
    shift: float
    blocked: float
    in_sequence: int = 0


def measure(bench: Run) -> list[Figure]:
    """Each round in a browser context that has seen nothing, then once more in the same."""
    seen: dict[str, list[_Visit]] = {}
    taps: list[float] = []
    with (
        nexus_stack(redis=True, port=free_port()) as stack,
        stack.api(),
        front(stack) as origin,
        signed_up(origin) as reader,
        sync_playwright() as playwright,
    ):
        essay = fill(stack, reader)
        addresses = {"library": "/", "article": f"/read/{essay}"}
        browser = playwright.chromium.launch(**launch_options())
        for number in range(bench.size(5, 1)):
            for name, address in addresses.items():
                bench.say(f"phone: {name}, round {number + 1}")
                context = _signed_in(browser, reader)
                for visit in ("first", "repeat"):
                    seen.setdefault(f"{name}, {visit} visit", []).append(_visit(context, address))
                if name == "library":
                    taps.append(_tap(context, addresses["article"]))
                context.close()
        browser.close()
    figures = [figure for name, visits in seen.items() for figure in _figures(name, visits)]
    sequence = max(visit.in_sequence for visit in seen["article, first visit"])
    return [
        Figure(
            "article: requests in sequence before text and highlights",
            sequence,
            "",
            at_most=_IN_SEQUENCE,
            note="after the page itself",
        ),
        *figures,
        Figure("article, tapped in the list: text drawn", statistics.median(taps), "ms"),
    ]


def _figures(name: str, visits: list[_Visit]) -> list[Figure]:
    blocked = statistics.median(visit.blocked for visit in visits)
    return [
        Figure(
            f"{name}: drawn",
            statistics.median(visit.at for visit in visits),
            "ms",
            note=f"blocked for {blocked:.0f} ms in all",
        ),
        Figure(
            f"{name}: layout shift",
            max(visit.shift for visit in visits),
            "",
            at_most=_SHIFT_TARGET,
        ),
    ]


def _signed_in(browser: Browser, reader: Reader) -> BrowserContext:
    context = browser.new_context(base_url=reader.origin, **_PHONE)  # type: ignore[arg-type]
    cookies: dict[str, str] = dict(reader.client.cookies)
    context.add_cookies(
        [{"name": name, "value": value, "url": reader.origin} for name, value in cookies.items()]
    )
    return context


def _slow_page(context: BrowserContext) -> Page:
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", _NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWDOWN})
    return page


def _visit(context: BrowserContext, address: str) -> _Visit:
    page = _slow_page(context)
    page.add_init_script(_NOTE)
    page.add_init_script(WATCH)
    page.goto(address, wait_until="commit")
    page.wait_for_function(_IS_QUIET, timeout=60_000)
    noted: dict[str, Any] = page.evaluate("seen")
    visit = _Visit(noted["at"], noted["shift"], noted["blocked"])
    if address != "/":
        visit.in_sequence = len(requests_in_sequence(page))
    page.close()
    return visit


def _tap(context: BrowserContext, address: str) -> float:
    page = _slow_page(context)
    page.add_init_script(_NOTE)
    page.goto("/")
    page.locator(f'a[href="{address}"]').first.wait_for()
    page.wait_for_function(_IS_QUIET, timeout=60_000)
    taken = float(page.evaluate(_TAP, address))
    page.close()
    return taken

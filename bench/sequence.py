"""How many requests for data a page made one after the other before something was drawn."""

from playwright.sync_api import Page

# Remembers when the text of an article and its first highlight were first there.
WATCH = """(() => {
  const text = () => document.querySelector("article section")?.textContent;
  const painted = () =>
    [...CSS.highlights].some(([name, { size }]) => name.startsWith("nexus-") && size > 0);
  const look = () => {
    if (text()) window.textDrawnAt ??= performance.now();
    if (text() && painted()) window.drawnAt ??= performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()"""

# What an article is made of. Besides, the app follows what changes, which nobody waits for.
_DATA = """() => performance.getEntriesByType("resource")
  .filter(({ name }) => /^\\/(api|auth)\\//.test(new URL(name).pathname))
  .filter(({ name }) =>
    /\\/(session|reading|fragments|highlights|position|preferences)$/.test(new URL(name).pathname))
  .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= window.drawnAt)
  .map(({ name, startTime, responseEnd }) => [new URL(name).pathname, startTime, responseEnd])"""


def requests_in_sequence(page: Page, *, since: float = 0.0) -> list[str]:
    """The longest chain in which each request began when the one before had been responded to."""
    page.wait_for_function("window.drawnAt !== undefined")
    asked = sorted((entry for entry in page.evaluate(_DATA) if entry[1] >= since), key=_begin)
    chains: list[tuple[float, list[str]]] = []
    for path, begin, end in asked:
        before = [chain for ended, chain in chains if ended <= begin]
        chains.append((end, [*max(before, key=len, default=[]), path]))
    return max((chain for _, chain in chains), key=len, default=[])


def _begin(entry: tuple[str, float, float]) -> float:
    return entry[1]

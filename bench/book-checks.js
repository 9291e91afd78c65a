// What `bench.book_checks` asks of a page that shows a book. `NexusReader` is the module of the web
// app that derives the canonical text.
globalThis.bookChecks = (() => {
  const LIMIT_MS = 20_000;
  const BAR = 40;

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const task = () => new Promise((resolve) => setTimeout(resolve));
  const rest = async () => {
    for (let i = 0; i < 2; i += 1) await frame();
  };
  const until = async (holds, what) => {
    const started = performance.now();
    while (!holds()) {
      if (performance.now() - started > LIMIT_MS) throw new Error(`never: ${what}`);
      await frame();
    }
  };

  const book = () => document.querySelector("article > section");
  const chapter = (index) => document.querySelector(`[data-chapter="${index}"]`);
  const linksOf = (index) => [...chapter(index).querySelectorAll('a[href^="#offset-"]')];
  const note = () => document.querySelector('[role="dialog"][aria-label^="Note "]:popover-open');
  const steps = () => history.state?.nexus?.inside ?? 0;
  const inWindow = ({ top, bottom, height }) => height > 0 && bottom > BAR && top < innerHeight;
  const isFilled = () =>
    [...book().children].every(
      (part) => part.matches("[data-chapter]") || !inWindow(part.getBoundingClientRect()),
    );

  const maps = new WeakMap();
  const mapOf = (section) => {
    if (!maps.has(section)) maps.set(section, NexusReader.canonicalize(section));
    return maps.get(section);
  };

  /** Whether a place of the text can be seen. */
  const isInView = ({ index, offset }) => {
    const section = chapter(index);
    if (!section) return false;
    const map = mapOf(section);
    const start = Math.max(0, Math.min(offset, map.codePoints.length - 1));
    const range = NexusReader.offsetsToRange(map, { start, end: start + 1 });
    return inWindow((range ?? section).getBoundingClientRect());
  };

  const arrive = async (place) => {
    await until(() => isInView(place), `chapter ${place.index} at ${place.offset} in view`);
    await rest();
    if (!isInView(place)) throw new Error(`chapter ${place.index} at ${place.offset} moved away`);
  };

  /** The chapters that are there: their number, and the text of those that were not seen yet. */
  const there = (seen) =>
    [...document.querySelectorAll("[data-chapter]")].map((section) => {
      const index = Number(section.dataset.chapter);
      return [index, seen.includes(index) ? null : mapOf(section).text];
    });

  /** Scrolls on by most of a window; false at the end. */
  const scrollOn = async () => {
    const before = scrollY;
    scrollBy({ top: innerHeight * 0.8, behavior: "instant" });
    await until(isFilled, "all of the window is filled");
    await rest();
    return scrollY > before + 1;
  };

  /** Scrolls from the chapter before until this one is there; how many links it has. */
  const reach = async (index) => {
    if (!chapter(index)) chapter(index - 1)?.scrollIntoView({ block: "end", behavior: "instant" });
    await until(() => chapter(index), `chapter ${index} is there`);
    return linksOf(index).length;
  };

  /** Follows a link to its place and returns by the way back; what its note says, if it has one. */
  const follow = async ([index, number, place]) => {
    const link = linksOf(index)[number];
    link.scrollIntoView({ block: "center", behavior: "instant" });
    const before = steps();
    link.click();
    await task();
    await until(() => note() || isInView(place), `link ${number} of chapter ${index} leads there`);
    const panel = note();
    const words = panel ? panel.querySelector("[lang]").textContent : null;
    if (panel) [...panel.querySelectorAll("button")].at(-1).click();
    await arrive(place);
    if (steps() > before) {
      history.back();
      await until(() => steps() === before && chapter(index), "the way back leads back");
      // The chapter may have been unloaded: its link takes the focus once it is there again.
      const hasFocus = () => document.activeElement === linksOf(index)[number];
      await until(hasFocus, "the link has the focus on the way back");
      const back = linksOf(index)[number];
      if (!inWindow(back.getBoundingClientRect())) throw new Error("the link is not in view again");
    }
    return words;
  };

  return { there, scrollOn, reach, follow };
})();

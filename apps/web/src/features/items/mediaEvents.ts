import type { Import } from "../../api/imports";
import { EVENTS_PATH } from "../../api/media";
import type { MediaEvent } from "../../shared/itemCache";

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
// Browsers allow six connections to a server, so a tab nobody looks at gives its own back.
const HIDDEN_FOR_MS = 10_000;

export interface EventHandlers {
  /** The stream starts, or had a hole: what was loaded before may be out of date. */
  onFresh: () => void;
  onMedia: (event: MediaEvent) => void;
  /** A library lost items: taken out of it, or gone altogether. */
  onRemoved: () => void;
  /** An import went on, and with it any number of items. */
  onImport: (changed: Import) => void;
  /** The stream broke off; called once until it is back. */
  onLost: () => void;
}

/** Follows the changes of the person's items while the page is seen; returns how to stop. */
export function followMediaEvents(handlers: EventHandlers): () => void {
  let source: EventSource | null = null;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    clearTimeout(timer);
    if (source || document.hidden) return;
    source = new EventSource(EVENTS_PATH);
    source.addEventListener("hello", () => {
      failures = 0;
      handlers.onFresh();
    });
    source.addEventListener("resync", () => handlers.onFresh());
    source.addEventListener("media", (message) => {
      const event = parse<MediaEvent>(message);
      if (event?.media_id && event.media?.id) handlers.onMedia(event);
    });
    source.addEventListener("import", (message) => {
      const changed = parse<Import>(message);
      if (changed?.id) handlers.onImport(changed);
    });
    source.addEventListener("removed", () => handlers.onRemoved());
    source.addEventListener("error", lose);
  }

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function lose(): void {
    close();
    if (failures === 0) handlers.onLost();
    timer = setTimeout(open, delayAfter(failures));
    failures += 1;
  }

  function onVisibility(): void {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(close, HIDDEN_FOR_MS);
    else open();
  }

  // Someone is back: no use in waiting for the next try.
  const comings = ["focus", "online"] as const;
  for (const coming of comings) window.addEventListener(coming, open);
  document.addEventListener("visibilitychange", onVisibility);
  open();
  return () => {
    for (const coming of comings) window.removeEventListener(coming, open);
    document.removeEventListener("visibilitychange", onVisibility);
    close();
  };
}

/** Doubles with every failure; the random part keeps tabs from coming back all at once. */
function delayAfter(failures: number): number {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
  return delay * (0.75 + Math.random() / 2);
}

function parse<T>(message: Event): T | null {
  try {
    return JSON.parse((message as MessageEvent<string>).data) as T;
  } catch {
    return null;
  }
}

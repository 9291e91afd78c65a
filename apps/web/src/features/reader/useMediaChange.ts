import { useEffect } from "react";

const EVENTS = "/api/media/events";

/** Calls back when the server tells that items changed, or may have. The browser reconnects. */
export function useMediaChange(enabled: boolean, onChange: () => void): void {
  useEffect(() => {
    if (!enabled || typeof EventSource === "undefined") return;
    const source = new EventSource(EVENTS);
    for (const name of ["hello", "media", "resync"]) source.addEventListener(name, onChange);
    return () => source.close();
  }, [enabled, onChange]);
}

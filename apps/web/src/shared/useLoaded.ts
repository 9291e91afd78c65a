import { useEffect, useState } from "react";

type Load<T> = () => Promise<T>;

const parts = new Map<Load<unknown>, unknown>();

/** Loads a part that will probably be needed; if that fails, the part that needs it says so. */
export async function loadAhead(load: Load<unknown>): Promise<void> {
  try {
    parts.set(load, await load());
  } catch {
    // It is loaded again when it is needed.
  }
}

/**
 * A part of the app that is loaded when it is first needed; null until it is there, and while there
 * is nothing to load. React's `lazy` holds back for 300 ms what comes soon after a placeholder.
 */
export function useLoaded<T>(load: Load<T> | null): T | null {
  const [, setArrived] = useState<{ load: Load<T> } | null>(null);
  const [failed, setFailed] = useState<{ load: Load<T>; error: unknown } | null>(null);
  useEffect(() => {
    if (!load || parts.has(load)) return;
    let left = false;
    load().then(
      (part) => {
        parts.set(load, part);
        if (!left) setArrived({ load });
      },
      (error) => {
        if (!left) setFailed({ load, error });
      },
    );
    return () => {
      left = true;
    };
  }, [load]);
  if (failed && failed.load === load) throw failed.error;
  return load && ((parts.get(load) as T | undefined) ?? null);
}

import { useCallback, useSyncExternalStore } from "react";
import { keep, readKept } from "../../../ui/localStore";

export const FONTS = ["serif", "sans"] as const;
export const WIDTHS = ["narrow", "medium", "wide"] as const;
/** Font sizes in pixels at the browser's default size. */
export const SIZES = [16, 18, 20, 22, 24, 28] as const;

export interface ReadingPreferences {
  font: (typeof FONTS)[number];
  width: (typeof WIDTHS)[number];
  size: (typeof SIZES)[number];
}

const DEFAULTS: ReadingPreferences = { font: "serif", width: "medium", size: 20 };

const listeners = new Set<() => void>();
let cached: { text: string; value: ReadingPreferences } | null = null;

function keyOf(userId: string): string {
  return `nexus.reading.${userId}`;
}

/** The stored preferences; anything unknown in them is the default. */
export function readPreferences(userId: string): ReadingPreferences {
  const kept = (readKept(keyOf(userId)) ?? {}) as Record<string, unknown>;
  const value = {
    font: oneOf(FONTS, kept.font) ?? DEFAULTS.font,
    width: oneOf(WIDTHS, kept.width) ?? DEFAULTS.width,
    size: oneOf(SIZES, kept.size) ?? DEFAULTS.size,
  };
  const text = JSON.stringify(value);
  // The same object for the same values: React asks often.
  if (cached?.text !== text) cached = { text, value };
  return cached.value;
}

function oneOf<T>(choices: readonly T[], value: unknown): T | undefined {
  return choices.find((choice) => choice === value);
}

/** How this person likes to read, kept on this device, and how to change it. */
export function useReadingPreferences(userId: string) {
  const subscribe = useCallback((onChange: () => void) => {
    listeners.add(onChange);
    window.addEventListener("storage", onChange);
    return () => {
      listeners.delete(onChange);
      window.removeEventListener("storage", onChange);
    };
  }, []);
  const preferences = useSyncExternalStore(subscribe, () => readPreferences(userId));
  const change = useCallback(
    (changes: Partial<ReadingPreferences>) => {
      keep(keyOf(userId), { ...readPreferences(userId), ...changes });
      for (const listener of listeners) listener();
    },
    [userId],
  );
  return [preferences, change] as const;
}

import { useCallback, useEffect, useSyncExternalStore } from "react";
import { fetchPreferences, type KeptPreferences, putPreferences } from "../../api/reading";
import { keep, readKept } from "../../ui/localStore";
import { chooseTheme, chosenTheme, THEMES, type ThemeChoice } from "./theme";

export const FONTS = ["serif", "sans"] as const;
export const WIDTHS = ["narrow", "medium", "wide"] as const;
/** Font sizes in pixels at the browser's default size. */
export const SIZES = [16, 18, 20, 22, 24, 28] as const;

export interface ReadingPreferences {
  font: (typeof FONTS)[number];
  width: (typeof WIDTHS)[number];
  size: (typeof SIZES)[number];
  /** Whether highlights may touch code. */
  highlight_code: boolean;
}

const DEFAULTS = { font: "serif", width: "medium", size: 20 } as const;
const SEND_AFTER_MS = 800;

const listeners = new Set<() => void>();
let cached: { text: string; value: ReadingPreferences } | null = null;

function keyOf(userId: string): string {
  return `nexus.reading.${userId}`;
}

function readRecord(userId: string): Record<string, unknown> {
  return (readKept(keyOf(userId)) ?? {}) as Record<string, unknown>;
}

/** The preferences on this device; anything unknown in them is the default. */
export function readPreferences(userId: string): ReadingPreferences {
  const value = understood(readRecord(userId));
  const text = JSON.stringify(value);
  // The same object for the same values: React asks often.
  if (cached?.text !== text) cached = { text, value };
  return cached.value;
}

function understood(kept: Record<string, unknown>): ReadingPreferences {
  return {
    font: oneOf(FONTS, kept.font) ?? DEFAULTS.font,
    width: oneOf(WIDTHS, kept.width) ?? DEFAULTS.width,
    size: oneOf(SIZES, kept.size) ?? DEFAULTS.size,
    highlight_code: kept.highlight_code === true,
  };
}

function oneOf<T>(choices: readonly T[], value: unknown): T | undefined {
  return choices.find((choice) => choice === value);
}

/** How this person likes to read, and how to change it. */
export function useReadingPreferences(userId: string) {
  const preferences = useSyncExternalStore(subscribe, () => readPreferences(userId));
  const change = useCallback(
    (changes: Partial<ReadingPreferences>) =>
      choose(userId, { ...readPreferences(userId), ...changes }),
    [userId],
  );
  return [preferences, change] as const;
}

/** The theme of this person, and how to choose another. */
export function useTheme(userId: string) {
  const theme = useSyncExternalStore(subscribe, chosenTheme);
  const change = useCallback(
    (next: ThemeChoice) => {
      chooseTheme(next);
      choose(userId, readPreferences(userId));
    },
    [userId],
  );
  return [theme, change] as const;
}

type Known = () => Promise<KeptPreferences | null | undefined>;

/**
 * Keeps what the person's other devices chose, and theirs what was chosen here. What the server has
 * may be known at first, from elsewhere; undefined where it is not.
 */
export function useSharedPreferences(userId: string, known?: Known): void {
  useEffect(() => {
    sharer = userId;
    const share = () => void exchange(userId);
    void exchange(userId, known);
    window.addEventListener("online", share);
    window.addEventListener("focus", share);
    return () => {
      sharer = null;
      clearTimeout(sending);
      window.removeEventListener("online", share);
      window.removeEventListener("focus", share);
    };
  }, [userId, known]);
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  window.addEventListener("storage", onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener("storage", onChange);
  };
}

let sending: ReturnType<typeof setTimeout> | undefined;
/** Who is signed in: what one person chose must not reach the account of the next. */
let sharer: string | null = null;

/** Shows a choice at once and keeps it here; the server learns of it when the person is done. */
function choose(userId: string, preferences: ReadingPreferences): void {
  write(userId, { ...preferences, theme: chosenTheme(), changed_at: new Date().toISOString() });
  clearTimeout(sending);
  sending = setTimeout(() => void exchange(userId), SEND_AFTER_MS);
}

/** Both sides end up with the newer choice. Out of reach, this device keeps its own till then. */
async function exchange(userId: string, known?: Known): Promise<void> {
  try {
    const opened = await known?.();
    const there = opened === undefined ? await fetchPreferences() : opened;
    if (sharer !== userId) return;
    const here = choiceOf(userId);
    if (here && (!there || moment(there) < moment(here))) {
      const kept = await putPreferences(here);
      if (choiceOf(userId)?.changed_at === here.changed_at) adopt(userId, kept);
    } else if (there && (!here || moment(there) > moment(here))) adopt(userId, there);
  } catch {
    // Tried again at the next occasion.
  }
}

function adopt(userId: string, preferences: KeptPreferences): void {
  const theme = oneOf(THEMES, preferences.theme);
  if (theme && theme !== chosenTheme()) chooseTheme(theme);
  write(userId, preferences);
}

/** The last choice on this device that says when it was made. */
function choiceOf(userId: string): KeptPreferences | null {
  const record = readRecord(userId);
  if (typeof record.changed_at !== "string") return null;
  const theme = oneOf(THEMES, record.theme) ?? "system";
  return { ...understood(record), theme, changed_at: record.changed_at };
}

function moment({ changed_at }: KeptPreferences): number {
  return Date.parse(changed_at);
}

function write(userId: string, record: object): void {
  keep(keyOf(userId), record);
  for (const listener of listeners) listener();
}

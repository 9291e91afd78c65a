import { useEffect, useMemo, useRef } from "react";
import { type Shortcut, useShortcuts } from "../../shared/shortcuts";
import { COLORS, type HighlightColor } from "./colors";
import type { Step } from "./keyboardSelect";

export interface ReaderCommands {
  step: (direction: 1 | -1) => void;
  color: (color: HighlightColor) => void;
  note: () => void;
  remove: () => void;
  /** Lists what overlaps with the highlight one is on. */
  list: () => void;
  escape: () => void;
  startSelecting: () => void;
  /** Moves a selection made with the keyboard; false when there is none. */
  moveSelection: (step: Step) => boolean;
}

const GROUP = "Reading";

const STEPS: Record<string, Step> = {
  ArrowRight: "next-word",
  ArrowLeft: "previous-word",
  ArrowDown: "next-paragraph",
  ArrowUp: "previous-paragraph",
};

/** The keys of the reader. */
export function useReaderKeys(commands: ReaderCommands): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useShortcuts(useMemo(() => shortcutsFor(() => latest.current), []));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
      // With Shift, browsers extend a selection themselves.
      if (step && plain && !event.defaultPrevented && latest.current.moveSelection(step)) {
        event.preventDefault();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function shortcutsFor(now: () => ReaderCommands): Shortcut[] {
  const key = (keys: string[], label: string, run: () => void, shown?: string): Shortcut => ({
    keys,
    label,
    group: GROUP,
    run,
    ...(shown && { shown }),
  });
  return [
    key(["j"], "Next highlight", () => now().step(1)),
    key(["k"], "Previous highlight", () => now().step(-1)),
    {
      keys: COLORS.map((_, index) => String(index + 1)),
      label: "Highlight the selection, or change the colour",
      group: GROUP,
      shown: "1–5",
      run: ({ key: digit }) => {
        const color = COLORS[Number(digit) - 1];
        if (color) now().color(color);
      },
    },
    key(["n"], "Write a note", () => now().note()),
    key(["Delete", "Backspace"], "Delete highlight", () => now().remove(), "Delete"),
    key(["l"], "List overlapping highlights", () => now().list()),
    key(["h"], "Select text: arrows move, Shift and arrows extend", () => now().startSelecting()),
    key(["Escape"], "Close or deselect", () => now().escape(), "Esc"),
  ];
}

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Offsets } from "../../canonical";
import { showToast } from "../../ui/toasts";
import { useStableHandlers } from "../../ui/useStableHandlers";
import type { HighlightColor } from "./colors";
import type { HighlightActions } from "./data/highlightActions";
import { passageOf, type ReaderHighlight, toSpan } from "./data/readerHighlight";
import { type CardHandlers, cardId } from "./HighlightCard";
import { selectFirstWord, stepSelection } from "./keyboardSelect";
import { linkedHighlight, showLink } from "./linkedHighlight";
import { revealPassage } from "./reveal";
import type { ArticleText } from "./text/articleText";
import { describeSpan } from "./text/describeSpan";
import { usePointing } from "./usePointing";
import { useReaderKeys } from "./useReaderKeys";
import { readSelection, useSelectedPassage } from "./useSelectedPassage";

interface HighlightingInput {
  /** Null until the text is on the page and is the server's. */
  text: ArticleText | null;
  fragmentId: string;
  highlights: readonly ReaderHighlight[];
  loaded: boolean;
  /** The cards are beside the text, not over it. */
  wide: boolean;
  actions: HighlightActions;
  /** Whether highlights may touch code, and how to allow it. */
  allowCode: boolean;
  onAllowCode: () => void;
}

/** Everything that happens between the text, the cards, the pointer and the keys. */
export function useHighlighting(input: HighlightingInput) {
  const { text, fragmentId, highlights, loaded, wide, actions, allowCode, onAllowCode } = input;
  const [activeId, setActiveId] = useState<string | null>(null);
  const [writing, setWriting] = useState<{ id: string; request: number } | null>(null);
  const [reselecting, setReselecting] = useState<string | null>(null);
  // The passage a key was pressed for in vain: the way out then takes focus.
  const [refused, setRefused] = useState<Offsets | null>(null);
  const [sheetOpen, setSheetOpen] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const lastColor = useRef<HighlightColor>("yellow");
  const focusNext = useRef<string | null>(null);
  const selected = useSelectedPassage(text);
  const find = useCallback(
    (id: string | null) => highlights.find((one) => one.id === id) ?? null,
    [highlights],
  );
  const active = find(activeId);

  const activate = useCallback(
    (id: string | null, { focus = false, reveal = false } = {}) => {
      setActiveId(id);
      setWriting(null);
      const highlight = find(id);
      if (!highlight || !text) return;
      setSheetOpen(true);
      if (focus) focusNext.current = highlight.id;
      if (reveal) revealPassage(text, passageOf(highlight), !wide);
      const index = highlights.indexOf(highlight) + 1;
      setAnnouncement(`Highlight ${index} of ${highlights.length}`);
    },
    [find, highlights, text, wide],
  );

  // The person goes on where they were when a highlight turns out to be another device's.
  useEffect(
    () =>
      actions.onAdopt((id, adoptedId) => {
        setActiveId((old) => (old === id ? adoptedId : old));
        setWriting((old) => (old?.id === id ? { ...old, id: adoptedId } : old));
        setReselecting((old) => (old === id ? adoptedId : old));
      }),
    [actions],
  );

  const press = usePress(activeId, wide, activate);
  const pointing = usePointing(text, press);
  useDrawing(text, highlights, active, pointing.pointedIds);
  const linked = useLink({ text, highlights, loaded, active, activate });

  // The card may only just have come onto the page.
  useLayoutEffect(() => {
    if (!focusNext.current) return;
    const card = document.getElementById(cardId(focusNext.current));
    focusNext.current = null;
    card?.focus({ preventScroll: true });
  });

  const write = useCallback((id: string) => {
    setActiveId(id);
    setSheetOpen(true);
    setWriting((old) => ({ id, request: (old?.request ?? 0) + 1 }));
  }, []);

  const highlightSelection = useCallback(
    (color: HighlightColor): string | null => {
      const now = text && readSelection(text);
      const chosen = now ?? selected;
      if (!text || !chosen) return null;
      if (chosen.code && !allowCode) {
        setRefused(chosen.passage);
        return null;
      }
      lastColor.current = color;
      const span = describeSpan(text.map, chosen.passage);
      const there = highlights.find(
        (one) => one.start_offset === span.start_offset && one.end_offset === span.end_offset,
      );
      document.getSelection()?.removeAllRanges();
      if (there) {
        if (there.color !== color) actions.update(there, { color });
        return there.id;
      }
      setAnnouncement(`Highlighted in ${color}`);
      return actions.create(fragmentId, { ...span, color });
    },
    [text, selected, highlights, actions, fragmentId, allowCode],
  );

  const remove = useCallback(
    (id: string) => {
      const highlight = find(id);
      if (!highlight) return;
      setActiveId(null);
      setWriting(null);
      actions.remove(highlight);
      text?.root.focus({ preventScroll: true });
    },
    [actions, find, text],
  );

  const reselect = useCallback(() => {
    const highlight = find(reselecting);
    const now = text && (readSelection(text) ?? selected);
    if (!text || !highlight || !now || (now.code && !allowCode)) return;
    actions.update(highlight, describeSpan(text.map, now.passage));
    setReselecting(null);
    document.getSelection()?.removeAllRanges();
    setActiveId(highlight.id);
  }, [actions, allowCode, find, reselecting, selected, text]);

  const allow = useCallback(() => {
    onAllowCode();
    setRefused(null);
    setAnnouncement("Highlights in code are allowed. Choose a colour.");
    text?.root.focus({ preventScroll: true });
  }, [onAllowCode, text]);

  // Always the same object: a new one would render every card again whenever a highlight changes.
  const handlers = useStableHandlers<CardHandlers>({
    activate: (id) => activate(id, { reveal: true }),
    color: (id, color) => {
      const highlight = find(id);
      lastColor.current = color;
      if (highlight) actions.update(highlight, { color });
    },
    write,
    reselect: (id) => {
      setReselecting(id);
      setSheetOpen(false);
    },
    remove,
    leave: (id) => document.getElementById(cardId(id))?.focus({ preventScroll: true }),
  });

  const noteOnSelection = useCallback(() => {
    const id = highlightSelection(lastColor.current);
    if (id) write(id);
  }, [highlightSelection, write]);

  useReaderKeys({
    step: (direction) => {
      const index = active ? highlights.indexOf(active) + direction : direction > 0 ? 0 : -1;
      const next = highlights.at(index >= highlights.length ? 0 : index);
      if (next) activate(next.id, { focus: true, reveal: true });
      else setAnnouncement("There are no highlights yet");
    },
    color: (color) => {
      if (text && readSelection(text)) highlightSelection(color);
      else if (active) handlers.color(active.id, color);
    },
    note: () => {
      if (text && readSelection(text)) noteOnSelection();
      else if (active) write(active.id);
    },
    remove: () => {
      if (active) remove(active.id);
    },
    escape: () => {
      if (pointing.stack) {
        pointing.closeStack();
        if (activeId) focusNext.current = activeId;
      } else if (reselecting) setReselecting(null);
      else if (selected) document.getSelection()?.removeAllRanges();
      else if (activeId) {
        setActiveId(null);
        text?.root.focus({ preventScroll: true });
      } else setSheetOpen(false);
    },
    list: () => {
      if (!active || !pointing.openStackOf(active.id))
        setAnnouncement("No highlights overlap here");
    },
    startSelecting: () => text && selectFirstWord(text),
    moveSelection: (step) => {
      if (!text || document.activeElement !== text.root || !readSelection(text)) return false;
      stepSelection(text, step);
      return true;
    },
  });

  return {
    linked,
    selected,
    sheetOpen,
    setSheetOpen,
    announcement,
    pane: { activeId, pointedIds: pointing.pointedIds, writing, handlers },
    bar: {
      selected,
      refusal:
        selected?.code && !allowCode
          ? { asked: isSame(selected.passage, refused), onAllow: allow }
          : null,
      reselecting: reselecting !== null,
      onHighlight: highlightSelection,
      onNote: noteOnSelection,
      onReselect: reselect,
      onCancel: () => setReselecting(null),
    },
    stack: pointing.stack && {
      stack: pointing.stack,
      activeId,
      onChoose: (id: string) => {
        pointing.closeStack();
        activate(id, { focus: true, reveal: !wide });
      },
      onClose: pointing.closeStack,
    },
  };
}

/**
 * A press on a stack goes to its newest highlight, and each further press to the next one. Where
 * the cards would cover the text, the list comes first.
 */
function usePress(
  activeId: string | null,
  wide: boolean,
  activate: (id: string | null, how?: { focus?: boolean }) => void,
) {
  const latest = useRef({ activeId, wide, activate });
  useEffect(() => {
    latest.current = { activeId, wide, activate };
  });
  return useCallback((ids: readonly string[]) => {
    const { activeId: current, wide: beside, activate: go } = latest.current;
    if (!beside && ids.length > 1) return;
    const at = current ? ids.indexOf(current) : -1;
    const next = ids[(at + 1) % ids.length];
    go(next ?? null, { focus: next !== undefined });
  }, []);
}

function useDrawing(
  text: ArticleText | null,
  highlights: readonly ReaderHighlight[],
  active: ReaderHighlight | null,
  pointedIds: readonly string[],
): void {
  useLayoutEffect(() => text?.setHighlights(highlights.map(toSpan)), [text, highlights]);
  useLayoutEffect(
    () => text?.emphasize("active", active ? [passageOf(active)] : []),
    [text, active],
  );
  useLayoutEffect(() => {
    const pointed = highlights.filter(({ id }) => pointedIds.includes(id));
    text?.emphasize("hover", pointed.map(passageOf));
  }, [text, highlights, pointedIds]);
}

function isSame(a: Offsets, b: Offsets | null): boolean {
  return a.start === b?.start && a.end === b.end;
}

interface LinkInput {
  text: ArticleText | null;
  highlights: readonly ReaderHighlight[];
  loaded: boolean;
  active: ReaderHighlight | null;
  activate: (id: string | null, how?: { focus?: boolean; reveal?: boolean }) => void;
}

/** The address names a highlight: go to it, and name the one that is active. True if it does. */
function useLink({ text, highlights, loaded, active, activate }: LinkInput): boolean {
  const wanted = useRef(linkedHighlight(window.location.hash));
  const linked = useRef(wanted.current !== null);
  useEffect(() => {
    const id = wanted.current;
    if (!id || !text || !loaded) return;
    wanted.current = null;
    const highlight = highlights.find((one) => one.id === id);
    if (highlight) activate(highlight.id, { reveal: true });
    else showToast("The highlight this link leads to is gone.", "error");
  }, [text, loaded, highlights, activate]);
  useEffect(() => {
    if (wanted.current === null && loaded) showLink(active && !active.pending ? active.id : null);
  }, [active, loaded]);
  return linked.current;
}

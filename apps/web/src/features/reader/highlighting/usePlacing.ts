import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { errorWords } from "../../../api/errorWords";
import type { Highlight } from "../../../api/highlights";
import { placeUnplaced, type Unplaced } from "../../../api/unplaced";
import { showToast } from "../../../ui/toasts";
import { useTakeOut } from "../../unplaced/queries";
import { highlightsQuery } from "../data/queries";
import type { ReaderHighlight } from "../data/readerHighlight";
import { describeSpan } from "../text/describeSpan";
import type { ReadingText, SelectedPassage } from "../text/readingText";
import type { TextSpace } from "../text/textSpace";
import { readSelection } from "../useSelectedPassage";

// A double click may become a triple one.
const SETTLED_MS = 350;

interface PlacingInput {
  mediaId: string;
  text: ReadingText | null;
  space: TextSpace | null;
  highlights: readonly ReaderHighlight[];
  selected: SelectedPassage | null;
  allowCode: boolean;
  /** Called when what was placed is among the highlights. */
  onPlaced: (id: string) => void;
  announce: (words: string) => void;
}

export type Placing = ReturnType<typeof usePlacing>;

/**
 * Has the person choose the passage of a highlight that was not found. A selection made with the
 * mouse is meant when the button is up; one made with fingers or keys grows, and is confirmed.
 */
export function usePlacing(input: PlacingInput) {
  const { mediaId, text, space, highlights, selected, allowCode, onPlaced, announce } = input;
  const client = useQueryClient();
  const takeOut = useTakeOut(mediaId);
  const [placing, setPlacing] = useState<Unplaced | null>(null);
  const [placedId, setPlacedId] = useState<string | null>(null);
  const byMouse = useByMouse(placing !== null);
  const cancel = useCallback(() => setPlacing(null), []);

  function start(one: Unplaced) {
    document.getSelection()?.removeAllRanges();
    setPlacing(one);
    announce("Select the passage it belongs to. Escape cancels.");
    text?.root.focus({ preventScroll: true });
  }

  async function apply() {
    const now = text && (readSelection(text) ?? selected);
    if (!placing || !now || (now.code && !allowCode)) return;
    const piece = text.pieceAt(now.passage.start);
    const fragmentId = space?.placeOf(now.passage.start)?.fragmentId;
    if (!piece || !fragmentId) return;
    const color = placing.color ?? "yellow";
    const place = { ...describeSpan(piece, now.passage), color, fragment_id: fragmentId };
    document.getSelection()?.removeAllRanges();
    setPlacing(null);
    const putBack = takeOut(placing);
    try {
      const highlight = await placeUnplaced(placing.id, place);
      const { queryKey } = highlightsQuery(mediaId);
      // It may be one that was there, on exactly this passage.
      client.setQueryData<Highlight[]>(
        queryKey,
        (list) => list && [...list.filter(({ id }) => id !== highlight.id), highlight],
      );
      await client.invalidateQueries({ queryKey });
      setPlacedId(highlight.id);
    } catch (error) {
      putBack();
      showToast(`Not placed. ${errorWords(error)}`, "error");
    }
  }

  const arrived = highlights.some(({ id }) => id === placedId);
  useEffect(() => {
    if (!placedId || !arrived) return;
    setPlacedId(null);
    onPlaced(placedId);
  }, [placedId, arrived, onPlaced]);

  const latest = useRef(apply);
  useEffect(() => {
    latest.current = apply;
  });
  useEffect(() => {
    if (!placing || !selected || !byMouse.current) return;
    const timer = setTimeout(() => void latest.current(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [placing, selected, byMouse]);

  return { placing, start, cancel, apply };
}

/** Whether the mouse was used last, rather than a finger or a key. */
function useByMouse(watching: boolean) {
  const byMouse = useRef(false);
  useEffect(() => {
    if (!watching) return;
    const onUp = ({ pointerType }: PointerEvent) => {
      byMouse.current = pointerType === "mouse";
    };
    const onKey = () => {
      byMouse.current = false;
    };
    document.addEventListener("pointerup", onUp, true);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerup", onUp, true);
      document.removeEventListener("keydown", onKey, true);
    };
  }, [watching]);
  return byMouse;
}

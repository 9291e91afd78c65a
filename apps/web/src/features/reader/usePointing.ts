import { useCallback, useEffect, useState } from "react";
import type { Stack } from "./StackList";
import type { ReadingText } from "./text/readingText";

const NOTHING: readonly string[] = [];

export type Pointing = ReturnType<typeof usePointing>;

/** Which highlights the pointer is on, and the list of them where several were pressed. */
export function usePointing(text: ReadingText | null, onPress: (ids: readonly string[]) => void) {
  const [ids, setIds] = useState(NOTHING);
  const [stack, setStack] = useState<Stack | null>(null);
  const closeStack = useCallback(() => setStack(null), []);

  useEffect(() => {
    if (!text) return;
    let frame = 0;
    let shown = "";
    const point = (found: readonly string[]) => {
      const name = found.join(" ");
      if (name === shown) return;
      shown = name;
      setIds(found);
      text.root.style.cursor = found.length > 0 ? "pointer" : "";
    };
    const onMove = (event: PointerEvent) => {
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => point(text.idsAt(event.clientX, event.clientY)));
    };
    const onLeave = () => {
      cancelAnimationFrame(frame);
      point(NOTHING);
    };
    const onClick = ({ clientX: x, clientY: y, target }: MouseEvent) => {
      const selecting = !(document.getSelection()?.isCollapsed ?? true);
      if (selecting || (target as Element).closest("a")) return;
      const found = text.idsAt(x, y);
      onPress(found);
      setStack(found.length > 1 ? { ids: found, x, y: y + window.scrollY } : null);
    };
    text.root.addEventListener("pointermove", onMove);
    text.root.addEventListener("pointerleave", onLeave);
    text.root.addEventListener("click", onClick);
    return () => {
      cancelAnimationFrame(frame);
      text.root.removeEventListener("pointermove", onMove);
      text.root.removeEventListener("pointerleave", onLeave);
      text.root.removeEventListener("click", onClick);
      setIds(NOTHING);
      setStack(null);
    };
  }, [text, onPress]);

  /** Lists the highlights that overlap with one; false when there are no others. */
  const openStackOf = useCallback(
    (id: string): boolean => {
      const segment = text?.stackOn(id);
      const line = segment && text?.firstLine(segment);
      if (!line || segment.ids.length < 2) return false;
      const y = (line.top + line.bottom) / 2 + window.scrollY;
      setStack({ ids: segment.ids, x: line.left, y, byKey: true });
      return true;
    },
    [text],
  );

  return { pointedIds: ids, stack, closeStack, openStackOf };
}

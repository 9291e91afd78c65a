import { useCallback, useEffect, useRef, useState } from "react";
import type { Stack } from "./StackList";
import type { ArticleText } from "./text/articleText";

const NOTHING: readonly string[] = [];
const SHOW_AFTER_MS = 250;
const HIDE_AFTER_MS = 350;
const BELOW_POINTER = 14;

/** Which highlights the pointer is on, and the list of them where there are several. */
export function usePointing(text: ArticleText | null, onPress: (keys: readonly string[]) => void) {
  const [keys, setKeys] = useState(NOTHING);
  const [stack, setStack] = useState<Stack | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const later = useCallback((delay: number, next: Stack | null) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setStack(next), delay);
  }, []);
  const closeStack = useCallback(() => {
    clearTimeout(timer.current);
    setStack(null);
  }, []);
  const keepStack = useCallback(() => clearTimeout(timer.current), []);
  const leaveStack = useCallback(() => later(HIDE_AFTER_MS, null), [later]);

  useEffect(() => {
    if (!text) return;
    let frame = 0;
    let shown = "";
    const point = (found: readonly string[], event: PointerEvent | MouseEvent) => {
      const name = found.join(" ");
      if (name === shown) return;
      shown = name;
      setKeys(found);
      text.root.style.cursor = found.length > 0 ? "pointer" : "";
      const y = event.clientY + window.scrollY + BELOW_POINTER;
      later(
        found.length > 1 ? SHOW_AFTER_MS : HIDE_AFTER_MS,
        found.length > 1 ? { keys: found, x: event.clientX, y } : null,
      );
    };
    const onMove = (event: PointerEvent) => {
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => point(text.idsAt(event.clientX, event.clientY), event));
    };
    const onLeave = (event: PointerEvent) => {
      cancelAnimationFrame(frame);
      point(NOTHING, event);
    };
    const onClick = (event: MouseEvent) => {
      const selecting = !(document.getSelection()?.isCollapsed ?? true);
      if (selecting || (event.target as Element).closest("a")) return;
      const found = text.idsAt(event.clientX, event.clientY);
      onPress(found);
      const y = event.clientY + window.scrollY + BELOW_POINTER;
      clearTimeout(timer.current);
      setStack(found.length > 1 ? { keys: found, x: event.clientX, y } : null);
    };
    text.root.addEventListener("pointermove", onMove);
    text.root.addEventListener("pointerleave", onLeave);
    text.root.addEventListener("click", onClick);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer.current);
      text.root.removeEventListener("pointermove", onMove);
      text.root.removeEventListener("pointerleave", onLeave);
      text.root.removeEventListener("click", onClick);
      setKeys(NOTHING);
      setStack(null);
    };
  }, [text, onPress, later]);

  return { pointedKeys: keys, stack, closeStack, keepStack, leaveStack };
}

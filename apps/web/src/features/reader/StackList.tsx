import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { cx } from "../../ui/cx";
import type { ReaderHighlight } from "./data/readerHighlight";
import styles from "./StackList.module.css";

export interface Stack {
  readonly ids: readonly string[];
  /** Where it was asked for, in page coordinates. */
  readonly x: number;
  readonly y: number;
  /** Asked for with the keyboard, which goes on in the list. */
  readonly byKey?: boolean;
}

interface StackListProps {
  stack: Stack;
  highlights: readonly ReaderHighlight[];
  activeId: string | null;
  onChoose: (id: string) => void;
  onClose: () => void;
}

const WIDTH = 288;
/** So far from the pointer that its line of text stays readable. */
const GAP = 18;
const EDGE = 8;

/** All the highlights at one place of the text, the newest first. */
export function StackList({ stack, highlights, activeId, onChoose, onClose }: StackListProps) {
  const list = useRef<HTMLElement>(null);
  const here = stack.ids.flatMap((id) => highlights.find((one) => one.id === id) ?? []);
  const top = useTop(list, stack);
  useEffect(() => {
    if (stack.byKey) list.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [stack]);
  useEffect(() => {
    const onDown = ({ target }: PointerEvent) => {
      if (!list.current?.contains(target as Node)) onClose();
    };
    document.addEventListener("pointerdown", onDown);
    return () => document.removeEventListener("pointerdown", onDown);
  }, [onClose]);
  if (here.length < 2) return null;
  const page = document.documentElement.clientWidth;
  const left = Math.max(EDGE, Math.min(stack.x - WIDTH / 2, page - WIDTH - EDGE));
  return (
    <section
      ref={list}
      className={styles.stack}
      style={{ left, top }}
      aria-label={`${here.length} highlights overlap here`}
      onKeyDown={moveFocus}
    >
      <p className={styles.title}>{here.length} highlights here</p>
      {here.map((highlight) => (
        <button
          key={highlight.id}
          type="button"
          className={cx(styles.item, highlight.id === activeId && styles.active)}
          aria-current={highlight.id === activeId ? "true" : undefined}
          onClick={() => onChoose(highlight.id)}
        >
          <span className={styles.dot} data-color={highlight.color} aria-hidden="true" />
          <span className="visually-hidden">{highlight.color}: </span>
          <span className={styles.text} dir="auto">
            {highlight.annotation?.body ?? highlight.exact}
          </span>
        </button>
      ))}
    </section>
  );
}

/** Below the place, or above it where the window ends. */
function useTop(list: React.RefObject<HTMLElement | null>, { y }: Stack): number {
  const [height, setHeight] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place, another list.
  useLayoutEffect(() => setHeight(list.current?.offsetHeight ?? 0), [list, y]);
  const fitsBelow = y - window.scrollY + GAP + height < window.innerHeight - EDGE;
  return fitsBelow ? y + GAP : Math.max(window.scrollY + EDGE, y - GAP - height);
}

/** The arrow keys go from one to the next. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const items = [...event.currentTarget.querySelectorAll("button")];
  const next = items[items.indexOf(document.activeElement as HTMLButtonElement) + step];
  event.preventDefault();
  next?.focus();
}

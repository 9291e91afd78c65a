import { cx } from "../../ui/cx";
import type { ReaderHighlight } from "./data/readerHighlight";
import styles from "./StackList.module.css";

export interface Stack {
  readonly keys: readonly string[];
  /** Where it was pointed at, in page coordinates. */
  readonly x: number;
  readonly y: number;
}

interface StackListProps {
  stack: Stack;
  highlights: readonly ReaderHighlight[];
  activeKey: string | null;
  onChoose: (key: string) => void;
  onStay: () => void;
  onLeave: () => void;
}

const WIDTH = 288;

/** All the highlights at one place of the text, the newest first. */
export function StackList(props: StackListProps) {
  const { stack, highlights, activeKey, onChoose, onStay, onLeave } = props;
  const here = stack.keys.flatMap((key) => highlights.find((one) => one.key === key) ?? []);
  if (here.length < 2) return null;
  const page = document.documentElement.clientWidth;
  const left = Math.max(8, Math.min(stack.x - WIDTH / 2, page - WIDTH - 8));
  return (
    <section
      className={styles.stack}
      style={{ left, top: stack.y }}
      aria-label={`${here.length} highlights overlap here`}
      onPointerEnter={onStay}
      onPointerLeave={onLeave}
    >
      <p className={styles.title}>{here.length} highlights here</p>
      {here.map((highlight) => (
        <button
          key={highlight.key}
          type="button"
          className={cx(styles.item, highlight.key === activeKey && styles.active)}
          aria-current={highlight.key === activeKey ? "true" : undefined}
          onClick={() => onChoose(highlight.key)}
        >
          <span className={styles.dot} data-color={highlight.color} aria-hidden="true" />
          <span className={styles.text} dir="auto">
            {highlight.annotation?.body ?? highlight.exact}
          </span>
        </button>
      ))}
    </section>
  );
}

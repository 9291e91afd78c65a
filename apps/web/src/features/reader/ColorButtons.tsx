import { Check } from "lucide-react";
import styles from "./ColorButtons.module.css";
import { COLORS, type HighlightColor } from "./colors";

interface ColorButtonsProps {
  /** Goes before the name of the colour: "Highlight in yellow". */
  label: string;
  /** One that is in use, or several. */
  chosen?: string | readonly string[];
  /** Whether the keys 1 to 5 choose as well. */
  byKey?: boolean;
  onChoose: (color: HighlightColor) => void;
}

/** The five colours. */
export function ColorButtons({ label, chosen, byKey = true, onChoose }: ColorButtonsProps) {
  const isChosen = (color: string) => [chosen].flat().includes(color);
  return (
    <span className={styles.colors}>
      {COLORS.map((color, index) => (
        <button
          key={color}
          type="button"
          aria-label={`${label} ${color}`}
          aria-pressed={chosen === undefined ? undefined : isChosen(color)}
          title={`${color[0]?.toUpperCase()}${color.slice(1)}${byKey ? ` (${index + 1})` : ""}`}
          className={styles.color}
          data-color={color}
          onClick={() => onChoose(color)}
        >
          {isChosen(color) && <Check size={14} aria-hidden="true" />}
        </button>
      ))}
    </span>
  );
}

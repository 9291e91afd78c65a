import { Check } from "lucide-react";
import styles from "./ColorButtons.module.css";
import { COLORS, type HighlightColor } from "./colors";

interface ColorButtonsProps {
  /** Goes before the name of the colour: "Highlight in yellow". */
  label: string;
  chosen?: string;
  onChoose: (color: HighlightColor) => void;
}

/** The five colours. */
export function ColorButtons({ label, chosen, onChoose }: ColorButtonsProps) {
  return (
    <span className={styles.colors}>
      {COLORS.map((color, index) => (
        <button
          key={color}
          type="button"
          aria-label={`${label} ${color}`}
          aria-pressed={chosen === undefined ? undefined : chosen === color}
          title={`${color[0]?.toUpperCase()}${color.slice(1)} (${index + 1})`}
          className={styles.color}
          data-color={color}
          onClick={() => onChoose(color)}
        >
          {chosen === color && <Check size={14} aria-hidden="true" />}
        </button>
      ))}
    </span>
  );
}

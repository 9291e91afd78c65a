import { Minus, Plus } from "lucide-react";
import { useId } from "react";
import { useUser } from "../../shared/session";
import { IconButton } from "../../ui/Button";
import { FONTS, SIZES, useReadingPreferences, WIDTHS } from "./preferences";
import styles from "./ReadingSettings.module.css";

const FONT_NAMES = { serif: "Serif", sans: "Sans" };
const WIDTH_NAMES = { narrow: "Narrow", medium: "Medium", wide: "Wide" };

/** Letters, their size and the width of the text, as this person likes them. */
export function ReadingSettings() {
  const [preferences, change] = useReadingPreferences(useUser().id);
  return (
    <div className={styles.settings}>
      <Choice
        label="Font"
        choices={FONTS}
        names={FONT_NAMES}
        chosen={preferences.font}
        onChoose={(font) => change({ font })}
      />
      <SizeControl size={preferences.size} onChange={(size) => change({ size })} />
      <Choice
        label="Width"
        choices={WIDTHS}
        names={WIDTH_NAMES}
        chosen={preferences.width}
        onChoose={(width) => change({ width })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={preferences.highlight_code}
          onChange={({ currentTarget }) => change({ highlight_code: currentTarget.checked })}
        />
        Allow highlights in code
      </label>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  choices: readonly T[];
  names: Record<T, string>;
  chosen: T;
  onChoose: (choice: T) => void;
}

/** A row of radio buttons that looks like one control. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, choices, names, chosen, onChoose } = props;
  const name = useId();
  return (
    <fieldset className={styles.row}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.segments}>
        {choices.map((choice) => (
          <label key={choice} className={styles.segment}>
            <input
              type="radio"
              name={name}
              className="visually-hidden"
              checked={choice === chosen}
              onChange={() => onChoose(choice)}
            />
            {names[choice]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type Size = (typeof SIZES)[number];

function SizeControl({ size, onChange }: { size: Size; onChange: (size: Size) => void }) {
  const at = SIZES.indexOf(size);
  const [smaller, larger] = [SIZES[at - 1], SIZES[at + 1]];
  return (
    <fieldset className={styles.row}>
      <legend className={styles.label}>Size</legend>
      <div className={styles.stepper}>
        <IconButton
          label="Smaller text"
          aria-disabled={!smaller}
          onClick={() => smaller && onChange(smaller)}
        >
          <Minus size={18} aria-hidden="true" />
        </IconButton>
        <output>{size}</output>
        <IconButton
          label="Larger text"
          aria-disabled={!larger}
          onClick={() => larger && onChange(larger)}
        >
          <Plus size={18} aria-hidden="true" />
        </IconButton>
      </div>
    </fieldset>
  );
}

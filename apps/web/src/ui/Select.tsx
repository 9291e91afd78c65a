import { type ComponentProps, useId } from "react";
import styles from "./Select.module.css";

interface SelectProps extends Omit<ComponentProps<"select">, "onChange"> {
  label: string;
  options: readonly (readonly [value: string, words: string])[];
  onChoose: (value: string) => void;
}

/** A small labelled choice, the browser's own. */
export function Select({ label, options, onChoose, ...select }: SelectProps) {
  const id = useId();
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <select {...select} id={id} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

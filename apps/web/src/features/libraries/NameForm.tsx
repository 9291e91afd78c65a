import { Check, X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { errorWords } from "../../api/errorWords";
import { checkName } from "../../shared/names";
import { IconButton } from "../../ui/Button";
import styles from "./NameForm.module.css";

interface NameFormProps {
  label: string;
  initial?: string;
  pending: boolean;
  /** The server's refusal of the last try. */
  error: unknown;
  onSave: (name: string) => void;
  onCancel: () => void;
}

/** A name edited where it stands: Enter saves, Escape leaves it as it was. */
export function NameForm({ label, initial = "", pending, error, onSave, onCancel }: NameFormProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const shown = problem ?? (error ? errorWords(error) : null);

  useEffect(() => input.current?.select(), []);
  useEffect(() => {
    if (shown) input.current?.focus();
  }, [shown]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const check = checkName(input.current?.value ?? "");
    if ("problem" in check) return setProblem(check.problem);
    setProblem(null);
    if (check.name === initial) return onCancel();
    onSave(check.name);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    // Escape would also close the drawer this may stand in.
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  }

  return (
    <form className={styles.form} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <div className={styles.row}>
        <input
          ref={input}
          className={styles.input}
          aria-label={label}
          aria-invalid={shown ? true : undefined}
          aria-describedby={shown ? id : undefined}
          defaultValue={initial}
          placeholder="Name"
          autoComplete="off"
          enterKeyHint="done"
          readOnly={pending}
        />
        <IconButton type="submit" label="Save" pending={pending}>
          <Check size={17} aria-hidden="true" />
        </IconButton>
        <IconButton label="Cancel" onClick={onCancel}>
          <X size={17} aria-hidden="true" />
        </IconButton>
      </div>
      {shown && (
        <p id={id} role="alert" className={styles.error}>
          {shown}
        </p>
      )}
    </form>
  );
}

import { CircleAlert, Search, X } from "lucide-react";
import { type RefObject, useEffect, useId, useMemo, useRef } from "react";
import { errorWords } from "../../api/errorWords";
import { useUser } from "../../shared/session";
import { useShortcuts } from "../../shared/shortcuts";
import { useTags } from "../../shared/tags";
import { IconButton } from "../../ui/Button";
import { completionsFor, MAX_LENGTH } from "./filters";
import { resultLinks } from "./ResultRow";
import { addRecent } from "./recentSearches";
import styles from "./SearchPage.module.css";

interface SearchFormProps {
  text: string;
  onChange: (text: string) => void;
  /** Why the query cannot be understood. */
  error: unknown;
}

/** The field of the search view, with ways to go on with a filter. */
export function SearchForm({ text, onChange, error }: SearchFormProps) {
  const user = useUser();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useFieldKey(input);
  // Somebody who comes without a query comes to type one.
  useEffect(() => {
    if (input.current?.value === "") input.current.focus();
  }, []);
  const change = (next: string) => {
    onChange(next);
    input.current?.focus();
  };
  return (
    <search aria-label="Everything you have saved">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          addRecent(user.id, text);
          resultLinks()[0]?.focus();
        }}
      >
        <Search size={20} aria-hidden="true" />
        <input
          ref={input}
          className={styles.input}
          aria-label="Search everything"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          placeholder="Words, “phrases”, tag:…"
          enterKeyHint="search"
          inputMode="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          maxLength={MAX_LENGTH}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
        {text && (
          <IconButton label="Clear the search" onClick={() => change("")}>
            <X size={18} aria-hidden="true" />
          </IconButton>
        )}
      </form>
      {error ? (
        <p id={`${id}-error`} role="alert" className={styles.error}>
          <CircleAlert size={16} aria-hidden="true" />
          <span>{errorWords(error)}</span>
        </p>
      ) : null}
      <Completions text={text} onChoose={change} />
    </search>
  );
}

function Completions({ text, onChoose }: { text: string; onChoose: (text: string) => void }) {
  const tags = useTags().data;
  const completions = useMemo(
    () => completionsFor(text, tags?.map(({ name }) => name) ?? []),
    [text, tags],
  );
  if (completions.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Ways to go on">
      {completions.map(({ label, query }) => (
        <li key={label}>
          <button type="button" className={styles.chip} onClick={() => onChoose(query)}>
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Here the key that searches anywhere leads to the field of this view. */
function useFieldKey(input: RefObject<HTMLInputElement | null>): void {
  useShortcuts(
    useMemo(
      () => [
        {
          keys: ["/"],
          label: "Change the search",
          group: "Search",
          run: () => input.current?.select(),
        },
      ],
      [input],
    ),
  );
}

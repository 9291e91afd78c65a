import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { isSameTag, useTags } from "../../shared/tags";
import { announce } from "../../ui/announce";
import { cx } from "../../ui/cx";
import styles from "./Tags.module.css";
import { checkTag, knownSpelling, suggestTags } from "./tagNames";

interface TagInputProps {
  field: RefObject<HTMLInputElement | null>;
  /** Whether one types at once, as in a dialog about tags alone. */
  takesFocus?: boolean;
  /** Not suggested any more. */
  chosen: readonly string[];
  onAdd: (names: string[]) => void;
  onRemoveLast: () => void;
  /** What stands in the field and is not added yet; null when it cannot be a tag. */
  onTyped: (names: string[] | null) => void;
}

/** A field for tags that completes them: Enter or a comma adds one, Backspace takes the last away. */
export function TagInput(props: TagInputProps) {
  const id = useId();
  const { text, problem, options, at, type, choose, onKeyDown } = useTyping(props);
  const { field, takesFocus = true } = props;
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [field, takesFocus]);
  return (
    <div className={styles.entry}>
      <label htmlFor={id}>Add tags</label>
      <input
        ref={field}
        id={id}
        role="combobox"
        className={styles.input}
        value={text}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={options[at] ? `${id}-${at}` : undefined}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-hint`} className={cx(styles.hint, problem && styles.problem)}>
        {problem ?? "Enter or a comma adds a tag."}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label="Your tags" className={styles.options}>
        {options.map((option, index) => (
          <Option
            key={option.name}
            id={`${id}-${index}`}
            option={option}
            active={index === at}
            onChoose={() => choose(option.name)}
          />
        ))}
      </div>
    </div>
  );
}

/** What is typed, what can be chosen and which of it the arrows are at. */
function useTyping({ field, chosen, onAdd, onRemoveLast, onTyped }: TagInputProps) {
  const known = useTags().data ?? [];
  const [text, setText] = useState("");
  const [at, setAt] = useState(-1);
  const options = optionsFor(text, known, chosen);

  function show(next: string) {
    setText(next);
    setAt(-1);
    const check = checkTag(next);
    if (next.trim() === "") onTyped([]);
    else onTyped("name" in check ? [knownSpelling(check.name, known)] : null);
  }

  function add(names: readonly string[]): boolean {
    const good = names.map(checkTag).flatMap((check) => ("name" in check ? [check.name] : []));
    if (good.length < names.length) return false;
    const spelled = good.map((name) => knownSpelling(name, known));
    onAdd(spelled);
    announce(`Added ${spelled.join(", ")}.`);
    return true;
  }

  /** Adds what a comma or the end of a line closes. */
  function type(next: string) {
    const parts = next.split(/[,\n]/);
    const rest = parts.pop() ?? "";
    const names = parts.filter((part) => part.trim() !== "");
    show(names.length === 0 || add(names) ? rest : next);
  }

  function choose(name: string) {
    if (add([name])) show("");
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    const name = options[at]?.name ?? text;
    const run = {
      ArrowDown: () => setAt(step(at, 1, options.length)),
      ArrowUp: () => setAt(step(at, -1, options.length)),
      // With nothing to add, Enter saves, and with nothing to give up, Escape closes.
      Enter: name.trim() === "" ? undefined : () => choose(name),
      Escape: at < 0 && text === "" ? undefined : () => show(""),
      Backspace: text === "" ? onRemoveLast : undefined,
    }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }

  return { text, problem: problemOf(text), options, at, type, choose, onKeyDown };
}

/** The next place of the arrows; one step beyond the last option is the field itself, -1. */
function step(at: number, by: 1 | -1, options: number): number {
  const places = options + 1;
  return ((at + 1 + by + places) % places) - 1;
}

/** Why what is typed cannot be a tag. */
function problemOf(text: string): string | null {
  const check = checkTag(text);
  return text.trim() !== "" && "problem" in check ? check.problem : null;
}

interface TagOption {
  name: string;
  /** There is no such tag yet. */
  isNew: boolean;
}

/** What can be chosen: tags that complete what is typed, and that itself as a new one. */
function optionsFor(
  text: string,
  known: Parameters<typeof suggestTags>[1],
  chosen: readonly string[],
): TagOption[] {
  const options = suggestTags(text, known, chosen).map((name) => ({ name, isNew: false }));
  const check = checkTag(text);
  if (!("name" in check)) return options;
  const exists = [...known.map(({ name }) => name), ...chosen].some((one) =>
    isSameTag(one, check.name),
  );
  return exists ? options : [...options, { name: check.name, isNew: true }];
}

interface OptionProps {
  id: string;
  option: TagOption;
  active: boolean;
  onChoose: () => void;
}

function Option({ id, option: { name, isNew }, active, onChoose }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) element.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which has focus.
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={cx(styles.option, active && styles.active)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {isNew ? (
        <>
          Create “<bdi>{name}</bdi>”
        </>
      ) : (
        <bdi>{name}</bdi>
      )}
    </div>
  );
}

import { Search, X } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "wouter";
import type { SearchResult } from "../../api/search";
import { showInOpenText } from "../../shared/openText";
import { useUser } from "../../shared/session";
import { useTags } from "../../shared/tags";
import { IconButton } from "../../ui/Button";
import { Modal } from "../../ui/Dialog";
import { Spinner } from "../../ui/Spinner";
import styles from "./CommandField.module.css";
import { useCommands } from "./commands";
import { completionsFor, MAX_LENGTH } from "./filters";
import { OptionList } from "./OptionList";
import { type Option, optionGroups, optionHref } from "./options";
import { addRecent, removeRecent, useRecentSearches } from "./recentSearches";
import { passageOf } from "./results";
import { isInvalid, KeyLine, StatusLine } from "./StatusLine";
import { useActiveOption } from "./useActiveOption";
import { useTypedResults } from "./useTypedResults";

const FIELD = {
  "aria-label": "Search everything, or go to",
  "aria-autocomplete": "list",
  placeholder: "Search or go to…",
  enterKeyHint: "search",
  autoFocus: true,
  autoComplete: "off",
  autoCapitalize: "none",
  spellCheck: false,
  dir: "auto",
  maxLength: MAX_LENGTH,
} as const;

interface CommandFieldProps {
  onClose: () => void;
}

/** One field to find anything and go anywhere, from wherever one is. */
export function CommandField({ onClose }: CommandFieldProps) {
  const user = useUser();
  const [query, setQuery] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const typed = useTypedResults(query);
  const groups = useGroups(query, typed.results);
  const options = useMemo(() => groups.flatMap((group) => group.options), [groups]);
  const { active, activeId, idOf, move } = useActiveOption(options, query);
  const choose = useChoosing(query, setQuery, onClose);
  const forget = (search: string) => removeRecent(user.id, search);

  const onKeyDown = keysOf({ active, options, move, choose, forget, onClose });

  return (
    <Modal label="Search and go anywhere" className={styles.field} onClose={onClose}>
      <div className={styles.head}>
        {typed.busy ? <Spinner /> : <Search size={20} aria-hidden="true" />}
        <input
          ref={input}
          {...FIELD}
          role="combobox"
          className={styles.input}
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={activeId}
          aria-invalid={isInvalid(typed.error) || undefined}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton label="Close" onClick={onClose}>
          <X size={20} aria-hidden="true" />
        </IconButton>
      </div>
      <StatusLine query={query.trim()} typed={typed} />
      <OptionList
        {...{ id: listId, groups, active, idOf }}
        busy={typed.busy}
        onChoose={(option, newTab) => {
          choose(option, newTab);
          input.current?.focus();
        }}
        onForget={forget}
      />
      <KeyLine />
    </Modal>
  );
}

interface FieldKeys {
  active: Option | null;
  options: readonly Option[];
  move: (step: 1 | -1) => void;
  choose: (option: Option, newTab: boolean) => void;
  forget: (search: string) => void;
  onClose: () => void;
}

/** The keys of the field. Everything else is typed. */
function keysOf({ active, options, move, choose, forget, onClose }: FieldKeys) {
  const open = (newTab: boolean) => {
    const chosen = active ?? options.find(({ type }) => type === "all");
    if (chosen) choose(chosen, newTab);
  };
  const forgetActive = (search: string) => {
    move(1);
    forget(search);
  };
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    const run = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => open(command),
      Delete: active?.type === "recent" && (() => forgetActive(active.query)),
      k: command && onClose,
    }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
}

/** What is offered for what is typed. */
function useGroups(query: string, results: readonly SearchResult[]) {
  const recent = useRecentSearches(useUser().id);
  const commands = useCommands();
  const tags = useTags().data;
  return useMemo(() => {
    const names = (tags ?? []).map(({ name }) => name);
    const completions = completionsFor(query, names);
    return optionGroups({ query, recent, commands, completions, results });
  }, [query, recent, commands, tags, results]);
}

/** Does what an option stands for. */
function useChoosing(query: string, setQuery: (query: string) => void, onClose: () => void) {
  const user = useUser();
  const [, navigate] = useLocation();
  return (option: Option, newTab: boolean) => {
    if (option.type === "recent" || option.type === "complete") {
      setQuery(option.query);
      return;
    }
    if (option.type !== "command") addRecent(user.id, query);
    const href = optionHref(option);
    if (href && newTab) {
      window.open(href, "_blank", "noopener");
      return;
    }
    // The dialog gives focus back before another place takes it.
    flushSync(onClose);
    if (option.type === "command" && !href) option.command.run?.();
    else if (option.type === "result" && showHere(option.result)) return;
    else if (href) navigate(href);
  };
}

/** Shows a passage of the text one is reading, without leaving it. */
function showHere(result: SearchResult): boolean {
  const passage = passageOf(result);
  return passage !== null && showInOpenText(result.media.id, passage);
}

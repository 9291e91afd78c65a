import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { IconButton } from "../../../ui/Button";
import { wordsAround } from "../text/wordsAround";
import styles from "./FindBar.module.css";
import type { Found } from "./findAll";
import type { Finding } from "./useFind";

/** The bar in which one looks for words in the text. */
export function FindBar(props: Finding["bar"]) {
  const { query, setQuery, focusRequest, found, at, step, close, text } = props;
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request is one
  useEffect(() => input.current?.select(), [focusRequest]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === input.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const hit = found?.hits[at];
  const none = !found || found.hits.length === 0;
  return (
    <search aria-label="Find in the text" className={styles.find} onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="search"
        className={styles.query}
        aria-label="Find"
        placeholder="Find in the text"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        enterKeyHint="next"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
      />
      <p role="status" className={styles.count}>
        {found && countWords(found, at)}
        {hit && text && <span className="visually-hidden">: {wordsAround(text, hit)}</span>}
      </p>
      <IconButton label="Previous match" disabled={none} onClick={() => step(-1)}>
        <ChevronUp size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label="Next match" disabled={none} onClick={() => step(1)}>
        <ChevronDown size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label="Close find" onClick={close}>
        <X size={18} aria-hidden="true" />
      </IconButton>
    </search>
  );
}

/** "3 of 17", "No matches"; a count that is not final says so. */
function countWords({ hits, done, more }: Found, at: number): string {
  if (hits.length === 0) return done ? "No matches" : "Searching…";
  const count = hits.length.toLocaleString("en");
  const all = done && !more ? count : `${count}+`;
  return at < 0 ? all : `${(at + 1).toLocaleString("en")} of ${all}`;
}

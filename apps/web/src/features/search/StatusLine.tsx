import { ApiError, isUnreachable } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { COMMAND } from "../../shared/shortcuts";
import { cx } from "../../ui/cx";
import styles from "./CommandField.module.css";
import { isUnfinished } from "./filters";
import { countWords } from "./results";
import type { TypedResults } from "./useTypedResults";

/** Is it the query that the server finds fault with? */
export function isInvalid(error: unknown): boolean {
  return error instanceof ApiError && error.code === "E_SEARCH_INVALID";
}

/** What was found, or why nothing is shown; said to screen readers as well. */
export function StatusLine({ query, typed }: { query: string; typed: TypedResults }) {
  const problem = typed.error !== null && !isUnfinished(query);
  return (
    <p role="status" className={cx(styles.status, problem && styles.problem)}>
      {query && statusWords(query, typed)}
    </p>
  );
}

/** The keys of the field, for those who see them. */
export function KeyLine() {
  return (
    <p className={styles.keys} aria-hidden="true">
      <kbd>↑</kbd>
      <kbd>↓</kbd> move <kbd>Enter</kbd> open <kbd>{COMMAND} Enter</kbd> new tab <kbd>Esc</kbd>{" "}
      close
    </p>
  );
}

function statusWords(query: string, typed: TypedResults): string {
  const { results, hasMore, error, busy, slow } = typed;
  if (isUnreachable(error)) {
    return "Nexus cannot be reached. Results appear here as soon as it can.";
  }
  if (isInvalid(error) && isUnfinished(query)) return "Choose or type a value for the filter.";
  if (error) return errorWords(error);
  if (slow) return "Still searching…";
  if (busy) return "Searching…";
  return results.length > 0 ? countWords(results.length, hasMore) : `Nothing found for “${query}”.`;
}

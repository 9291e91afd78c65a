import type { HighlightQuery } from "../../api/highlights";

const LISTS = ["color", "tag"] as const;
// The name in the address, and what the API calls it.
const SINGLE = [
  ["q", "q"],
  ["item", "media_id"],
  ["library", "library_id"],
  ["after", "after"],
  ["before", "before"],
] as const;

/** Reads from the query string of the page what its highlights are narrowed to. */
export function readFilters(search: string): HighlightQuery {
  const params = new URLSearchParams(search);
  const wanted: HighlightQuery = {};
  for (const name of LISTS) {
    const values = params.getAll(name).filter(Boolean);
    if (values.length > 0) wanted[name] = values;
  }
  for (const [name, key] of SINGLE) {
    const value = params.get(name)?.trim();
    if (value) wanted[key] = value;
  }
  return wanted;
}

/** The query string of filters, with its question mark; empty when nothing is narrowed. */
export function filterSearch(wanted: HighlightQuery): string {
  const params = new URLSearchParams();
  for (const [name, key] of SINGLE) {
    const value = wanted[key];
    if (value) params.set(name, value);
  }
  for (const name of LISTS) for (const value of wanted[name] ?? []) params.append(name, value);
  const text = params.toString();
  return text && `?${text}`;
}

/** The colours chosen after one of them was pressed. */
export function toggled(chosen: readonly string[] | undefined, one: string): string[] {
  const others = (chosen ?? []).filter((each) => each !== one);
  return others.length === (chosen?.length ?? 0) ? [...others, one] : others;
}

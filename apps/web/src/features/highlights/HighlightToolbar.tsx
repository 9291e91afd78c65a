import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { HighlightQuery } from "../../api/highlights";
import { useTags } from "../../shared/tags";
import { Button } from "../../ui/Button";
import { Select } from "../../ui/Select";
import { useLibraries } from "../libraries/queries";
import { ColorButtons } from "../reader/ColorButtons";
import styles from "./HighlightToolbar.module.css";
import { filterSearch, readFilters, toggled } from "./highlightFilters";

// Long enough to finish a word, short enough to feel immediate.
const TYPING_MS = 250;

/** Narrows the highlights; the choice is in the address, so it can be kept and shared. */
export function HighlightToolbar() {
  const wanted = readFilters(useSearch());
  const choose = useChoose(wanted);
  const libraries = useLibraries().data ?? [];
  const tags = useTags().data ?? [];
  return (
    <search className={styles.toolbar} aria-label="Filter highlights">
      <Words value={wanted.q ?? ""} onChange={(q) => choose({ q })} />
      <fieldset className={styles.colors}>
        <legend className="visually-hidden">Colors</legend>
        <ColorButtons
          label="Show"
          chosen={wanted.color ?? []}
          byKey={false}
          onChoose={(color) => choose({ color: toggled(wanted.color, color) })}
        />
      </fieldset>
      {tags.length > 0 && (
        <Select
          label="Tag"
          value={wanted.tag?.[0] ?? ""}
          options={[["", "Any"], ...tags.map(({ name }) => [name, name] as const)]}
          onChoose={(tag) => choose({ tag: tag ? [tag] : [] })}
        />
      )}
      {libraries.length > 1 && (
        <Select
          label="Library"
          value={wanted.library_id ?? ""}
          options={[["", "Any"], ...libraries.map(({ id, name }) => [id, name] as const)]}
          onChoose={(library_id) => choose({ library_id })}
        />
      )}
      <Day label="From" value={wanted.after} onChoose={(after) => choose({ after })} />
      <Day label="Before" value={wanted.before} onChoose={(before) => choose({ before })} />
      {filterSearch(wanted) && <ClearFilters />}
    </search>
  );
}

/** Shows all highlights again. */
export function ClearFilters() {
  const [path, navigate] = useLocation();
  return (
    <Button look="ghost" className={styles.clear} onClick={() => navigate(path)}>
      Clear filters
    </Button>
  );
}

function useChoose(wanted: HighlightQuery) {
  const [path, navigate] = useLocation();
  return (change: HighlightQuery) =>
    navigate(path + filterSearch({ ...wanted, ...change }), { replace: true });
}

/** A search field whose words count once one pauses, or at once on Enter. */
function Words({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    // The address changed by other means, such as the back button.
    if (value !== typed.trim()) setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return (
    <label className={styles.words}>
      <Search size={16} aria-hidden="true" />
      <input
        type="search"
        aria-label="Search your highlights and notes"
        placeholder="Search highlights and notes"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && onChange(typed.trim())}
      />
    </label>
  );
}

interface DayProps {
  label: string;
  value: string | null | undefined;
  onChoose: (day: string) => void;
}

function Day({ label, value, onChoose }: DayProps) {
  return (
    <label className={styles.day}>
      <span>{label}</span>
      <input type="date" value={value ?? ""} onChange={(event) => onChoose(event.target.value)} />
    </label>
  );
}

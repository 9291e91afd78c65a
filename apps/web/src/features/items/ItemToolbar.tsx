import { useLocation } from "wouter";
import { ADDED_KINDS, kindOf } from "../../shared/kinds";
import { Button } from "../../ui/Button";
import { Select } from "../../ui/Select";
import styles from "./Items.module.css";
import { filterSearch, type ItemFilters, readFilters } from "./itemFilters";

const STATES = [
  ["", "Any"],
  ["ready", "Ready"],
  ["elsewhere", "Opens elsewhere"],
  ["waiting", "Waiting"],
  ["reading", "Processing"],
  ["failed", "Failed"],
] as const;

const KINDS: [string, string][] = [
  ["", "Any"],
  ...ADDED_KINDS.map((kind): [string, string] => [kind, kindOf(kind).plural]),
];

const SORTS = [
  ["newest", "Newest"],
  ["oldest", "Oldest"],
  ["title", "Title"],
] as const;

/** Narrows and orders the list; the choice is in the address, so it can be kept and shared. */
export function ItemToolbar({ filters }: { filters: ItemFilters }) {
  const [path, navigate] = useLocation();
  const choose = (change: Record<string, string>) => {
    const search = new URLSearchParams({ ...present(filters), ...change }).toString();
    navigate(path + filterSearch(readFilters(search)), { replace: true });
  };
  return (
    <search className={styles.toolbar} aria-label="Filter and sort">
      <Select
        label="Status"
        value={filters.state ?? ""}
        options={STATES}
        onChoose={(state) => choose({ state })}
      />
      <Select
        label="Kind"
        value={filters.kind ?? ""}
        options={KINDS}
        onChoose={(kind) => choose({ kind })}
      />
      <Select
        label="Sort"
        value={filters.sort}
        options={SORTS}
        onChoose={(sort) => choose({ sort })}
      />
      {(filters.state || filters.kind) && (
        <Button
          look="ghost"
          className={styles.clear}
          onClick={() => choose({ state: "", kind: "" })}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

function present({ state, kind, sort }: ItemFilters): Record<string, string> {
  return { state: state ?? "", kind: kind ?? "", sort };
}

import { ListChecks, SlidersHorizontal, X } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { MediaQuery, Sort } from "../../api/media";
import { ADDED_KINDS, kindOf } from "../../shared/kinds";
import { isSameTag, useTags } from "../../shared/tags";
import { Button, IconButton } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { Select } from "../../ui/Select";
import styles from "./ItemToolbar.module.css";
import {
  filterSearch,
  type ItemFilters,
  isNarrowed,
  NO_FILTERS,
  SORTS,
  type StateFilter,
} from "./itemFilters";
import { startChoosing } from "./selection";

const STATES: [StateFilter | "", string][] = [
  ["", "Any"],
  ["unread", "Unread"],
  ["reading", "In progress"],
  ["finished", "Finished"],
  ["waiting", "Waiting"],
  ["processing", "Processing"],
  ["failed", "Failed"],
];

const KINDS: [string, string][] = [
  ["", "Any"],
  ...ADDED_KINDS.map((kind): [string, string] => [kind, kindOf(kind).plural]),
];

const SORT_WORDS: Record<Sort, string> = {
  newest: "Newest",
  oldest: "Oldest",
  opened: "Recently opened",
  title: "Title",
  length: "Length",
};

interface ItemToolbarProps {
  filters: ItemFilters;
  /** What the view is about already. */
  about: MediaQuery;
  usualSort: Sort;
}

/** Narrows and orders the list; the choice is in the address, so it can be kept and shared. */
export function ItemToolbar({ filters, about, usualSort }: ItemToolbarProps) {
  const [path, navigate] = useLocation();
  const choose: ChoiceProps["choose"] = (change) => {
    const next = { ...filters, ...change } as ItemFilters;
    navigate(path + filterSearch(next, usualSort), { replace: true });
  };
  // On a phone they take half of the screen, so there they are shown when asked for.
  const [open, setOpen] = useState(false);
  return (
    <search className={cx(styles.toolbar, open && styles.open)} aria-label="Filter and sort">
      <Button
        look="ghost"
        className={styles.opener}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal size={18} aria-hidden="true" />
        Filter and sort
      </Button>
      <Button look="ghost" className={styles.choose} onClick={startChoosing}>
        <ListChecks size={18} aria-hidden="true" />
        Select
      </Button>
      <div className={styles.fields}>
        <Fields {...{ filters, about, choose }} />
      </div>
      {isNarrowed(filters) && <Chosen {...{ filters, choose }} />}
    </search>
  );
}

interface ChoiceProps {
  filters: ItemFilters;
  choose: (change: { [name in keyof ItemFilters]?: unknown }) => void;
}

function Fields({ filters, about, choose }: ChoiceProps & { about: MediaQuery }) {
  return (
    <>
      {!about.state && (
        <Select
          label="Status"
          value={filters.state ?? ""}
          options={STATES}
          onChoose={(state) => choose({ state: state || null })}
        />
      )}
      <Select
        label="Kind"
        value={filters.kind ?? ""}
        options={KINDS}
        onChoose={(kind) => choose({ kind: kind || null })}
      />
      <AddTag
        chosen={[...(about.tags ?? []), ...filters.tags]}
        onChoose={(tag) => choose({ tags: [...filters.tags, tag] })}
      />
      <Select
        label="Sort"
        value={filters.sort}
        options={SORTS.map((sort): [string, string] => [sort, SORT_WORDS[sort]])}
        onChoose={(sort) => choose({ sort })}
      />
    </>
  );
}

/** The tags chosen, each of which can be left out again, and the way back to everything. */
function Chosen({ filters, choose }: ChoiceProps) {
  return (
    <div className={styles.chosen}>
      {filters.tags.map((tag) => (
        <span key={tag} className={styles.tag}>
          <bdi>{tag}</bdi>
          <IconButton
            label={`Remove the filter ${tag}`}
            onClick={() => choose({ tags: filters.tags.filter((one) => one !== tag) })}
          >
            <X size={14} aria-hidden="true" />
          </IconButton>
        </span>
      ))}
      <Button look="ghost" className={styles.clear} onClick={() => choose(NO_FILTERS)}>
        Clear filters
      </Button>
    </div>
  );
}

interface AddTagProps {
  chosen: readonly string[];
  onChoose: (tag: string) => void;
}

/** Narrows to what has one more tag; not there while there is none to choose. */
function AddTag({ chosen, onChoose }: AddTagProps) {
  const tags = useTags().data ?? [];
  const others = tags.filter(({ name }) => !chosen.some((one) => isSameTag(one, name)));
  if (others.length === 0) return null;
  const options = others.map(({ name }): [string, string] => [name, name]);
  const none = chosen.length > 0 ? "And…" : "Any";
  return <Select label="Tag" value="" options={[["", none], ...options]} onChoose={onChoose} />;
}

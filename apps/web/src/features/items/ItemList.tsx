import { useMemo } from "react";
import type { Library, ListedMedia } from "../../api/types";
import { type Shortcut, useShortcuts } from "../../shared/shortcuts";
import { ItemRow } from "./ItemRow";
import styles from "./Items.module.css";
import { SaveRow } from "./SaveRow";
import type { Save } from "./saves";

interface ItemListProps {
  items: readonly ListedMedia[];
  saves: readonly Save[];
  library: Library | undefined;
  label: string;
}

/** Saved items, one row each; what is being saved comes first. */
export function ItemList({ items, saves, library, label }: ItemListProps) {
  useListKeys();
  return (
    <ul className={styles.list} aria-label={label}>
      {saves.map((save) => (
        <SaveRow key={save.key} save={save} />
      ))}
      {items.map((media) => (
        <ItemRow key={media.id} media={media} library={library} />
      ))}
    </ul>
  );
}

/** The title links of the rows, top to bottom. */
export function itemLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-item-link]")];
}

function useListKeys(): void {
  const shortcuts = useMemo(
    (): Shortcut[] => [
      { keys: ["j"], label: "Next item", group: "Lists", run: () => moveBy(1) },
      { keys: ["k"], label: "Previous item", group: "Lists", run: () => moveBy(-1) },
    ],
    [],
  );
  useShortcuts(shortcuts);
}

/** Moves focus from row to row, from wherever in a row it is. */
function moveBy(step: 1 | -1): void {
  const links = itemLinks();
  const row = document.activeElement?.closest("li");
  const at = links.findIndex((link) => row?.contains(link));
  const next = at < 0 ? 0 : at + step;
  links[next]?.focus();
}

/** The list while it loads. */
export function ItemSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" className={styles.skeleton}>
      <span className="visually-hidden">Loading the items</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
        <div key={row} className={styles.bones} aria-hidden="true">
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

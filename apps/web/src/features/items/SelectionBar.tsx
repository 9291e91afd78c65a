import { X } from "lucide-react";
import { use } from "react";
import type { Library } from "../../api/types";
import { Button, IconButton } from "../../ui/Button";
import styles from "./SelectionBar.module.css";
import { clearSelection, selectAll, useSelection } from "./selection";
import { ListSlotsContext } from "./slots";

interface SelectionBarProps {
  /** The ids of what is loaded, in the order of the list. */
  loaded: () => string[];
  library: Library | undefined;
}

/** How many items are ticked, and what can be done to them. */
export function SelectionBar({ loaded, library }: SelectionBarProps) {
  const { selected, choosing } = useSelection();
  const { BulkActions } = use(ListSlotsContext);
  if (selected.size === 0 && !choosing) return null;
  return (
    <section className={styles.bar} aria-label="Selection">
      <IconButton label="Clear the selection" onClick={clearSelection}>
        <X size={18} aria-hidden="true" />
      </IconButton>
      <p className={styles.count} role="status">
        {selected.size.toLocaleString("en")} selected
      </p>
      <Button look="ghost" className={styles.all} onClick={() => selectAll(loaded())}>
        Select all
      </Button>
      {BulkActions && selected.size > 0 && <BulkActions ids={[...selected]} library={library} />}
    </section>
  );
}

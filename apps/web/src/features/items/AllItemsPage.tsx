import { Plus } from "lucide-react";
import { fileNames } from "../../shared/kinds";
import { openPanel } from "../../shared/panels";
import { ShelfArt } from "../../ui/Art";
import { Button } from "../../ui/Button";
import { EmptyState } from "../../ui/States";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { useTitle } from "../../ui/useTitle";
import styles from "./Items.module.css";
import { ItemsView } from "./ItemsView";

/** Everything the person can read, from all libraries. */
export function AllItemsPage() {
  useTitle("All items");
  const touch = useMediaQuery("(pointer: coarse)");
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>All items</h1>
        <p>
          {touch
            ? "Everything you have saved. Add web addresses and files with +."
            : `Paste a web address anywhere to save it, or drop a ${fileNames("or")}.`}
        </p>
      </header>
      <ItemsView label="All items" empty={<EmptyShelf />} />
    </div>
  );
}

/** The first thing a new shelf says. */
export function EmptyShelf() {
  return (
    <EmptyState art={<ShelfArt />} title="Your shelf is ready">
      <p>
        Nothing is saved yet. Paste a web address anywhere on this page, or add one here. It becomes
        a clean page to read, with your highlights and notes beside the text.
      </p>
      <AddButton />
    </EmptyState>
  );
}

/** Opens the dialog to add something. */
export function AddButton() {
  return (
    <Button look="primary" onClick={() => openPanel("add")}>
      <Plus size={18} aria-hidden="true" />
      Add
    </Button>
  );
}

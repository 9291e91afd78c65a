import { fileNames } from "../../shared/kinds";
import { INBOX, type View } from "../../shared/views";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { useTitle } from "../../ui/useTitle";
import { ContinueRow } from "./ContinueRow";
import { EMPTY_VIEWS } from "./EmptyViews";
import styles from "./Items.module.css";
import { ItemsView } from "./ItemsView";

/** One of the views that everybody has: the inbox, the archive and so on. */
export function ViewPage({ view }: { view: View }) {
  const { name, path, query, sort } = view;
  useTitle(name);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{name}</h1>
        {view === INBOX && <HowToAdd />}
      </header>
      <ItemsView
        about={query}
        sort={sort}
        label={name}
        empty={EMPTY_VIEWS[path]}
        above={view === INBOX && <ContinueRow />}
      />
    </div>
  );
}

function HowToAdd() {
  const touch = useMediaQuery("(pointer: coarse)");
  return (
    <p>
      {touch
        ? "What you have saved and not archived. Add web addresses and files with +."
        : `Paste a web address anywhere to save it, or drop a ${fileNames("or")}.`}
    </p>
  );
}

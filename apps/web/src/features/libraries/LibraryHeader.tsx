import { useState } from "react";
import type { Library } from "../../api/types";
import { useFocusBack } from "../../ui/useFocusBack";
import { DeleteLibraryDialog } from "./DeleteLibraryDialog";
import styles from "./LibraryHeader.module.css";
import { LibraryMenu } from "./LibraryMenu";
import { canManage } from "./order";
import { RenameLibrary } from "./RenameLibrary";

/** The library's name, editable in place, and how much is in it. */
export function LibraryHeader({ library }: { library: Library | undefined }) {
  const [mode, setMode] = useState<"shown" | "renaming" | "deleting">("shown");
  const show = () => setMode("shown");
  const heading = useFocusBack<HTMLHeadingElement>(mode === "renaming");
  if (!library) {
    return (
      <header className={styles.header}>
        <h1 className={styles.ghost}>
          <span className="visually-hidden">Loading the library</span>
        </h1>
      </header>
    );
  }
  return (
    <header className={styles.header}>
      {mode === "renaming" ? (
        <div className={styles.rename}>
          <h1 className="visually-hidden">{library.name}</h1>
          <RenameLibrary library={library} onClose={show} />
        </div>
      ) : (
        <div className={styles.line}>
          <h1 ref={heading} tabIndex={-1}>
            {library.name}
          </h1>
          {canManage(library) && (
            <LibraryMenu
              library={library}
              onRename={() => setMode("renaming")}
              onDelete={() => setMode("deleting")}
            />
          )}
        </div>
      )}
      <p className={styles.facts}>{facts(library)}</p>
      {mode === "deleting" && <DeleteLibraryDialog library={library} onClose={show} />}
    </header>
  );
}

function facts(library: Library): string {
  const count = library.media_count;
  const items =
    count === 0 ? "No items" : count === 1 ? "1 item" : `${count.toLocaleString("en")} items`;
  if (library.is_default) return `${items} · everything you have saved`;
  return library.role === "member" ? `${items} · shared with you` : items;
}

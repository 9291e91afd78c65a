import { BookMarked, Library as LibraryIcon } from "lucide-react";
import { useState } from "react";
import { Link, useRoute } from "wouter";
import type { Library } from "../../api/types";
import { paths } from "../../shared/paths";
import { cx } from "../../ui/cx";
import { useFocusBack } from "../../ui/useFocusBack";
import { DeleteLibraryDialog } from "./DeleteLibraryDialog";
import { ItemCount } from "./ItemCount";
import { LibraryMenu } from "./LibraryMenu";
import { canManage } from "./order";
import { RenameLibrary } from "./RenameLibrary";
import styles from "./Sidebar.module.css";

/** One library in the sidebar; its name can be edited in place. */
export function LibraryRow({ library }: { library: Library }) {
  const [mode, setMode] = useState<"shown" | "renaming" | "deleting">("shown");
  const [, params] = useRoute<{ id: string }>("/libraries/:id");
  const active = params?.id === library.id;
  const show = () => setMode("shown");
  const link = useFocusBack<HTMLAnchorElement>(mode === "renaming");

  if (mode === "renaming") {
    return (
      <li className={styles.editing}>
        <RenameLibrary library={library} onClose={show} />
      </li>
    );
  }
  const Icon = library.is_default ? BookMarked : LibraryIcon;
  return (
    <li className={cx(styles.row, active && styles.active)}>
      <Link
        ref={link}
        href={paths.library(library.id)}
        className={styles.link}
        aria-current={active ? "page" : undefined}
      >
        <Icon size={18} aria-hidden="true" />
        <span className={styles.name} title={library.name}>
          {library.name}
        </span>
        <ItemCount count={library.media_count} />
      </Link>
      {canManage(library) && (
        <LibraryMenu
          library={library}
          onRename={() => setMode("renaming")}
          onDelete={() => setMode("deleting")}
        />
      )}
      {mode === "deleting" && <DeleteLibraryDialog library={library} onClose={show} />}
    </li>
  );
}

import { Highlighter, LogOut, Plus, Settings } from "lucide-react";
import { useState } from "react";
import { Link, useRoute } from "wouter";
import { paths } from "../../app/paths";
import { IconButton } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { Logo } from "../../ui/Logo";
import { useFocusBack } from "../../ui/useFocusBack";
import { useUser } from "../auth/session";
import { useSignOut } from "../auth/useSignOut";
import { LibraryList } from "./LibraryList";
import { NewLibrary } from "./NewLibrary";
import styles from "./Sidebar.module.css";

/** The libraries, settings and account, beside the view or in the drawer. */
export function Sidebar() {
  const [creating, setCreating] = useState(false);
  const plus = useFocusBack<HTMLButtonElement>(creating);
  const [onSettings] = useRoute(paths.settings);
  const [onHighlights] = useRoute(paths.highlights);
  return (
    <div className={styles.sidebar}>
      <Link href={paths.home} className={styles.home} aria-label="Nexus, go to your library">
        <Logo />
      </Link>
      <nav className={styles.libraries} aria-labelledby="libraries-heading">
        <div className={styles.head}>
          <h2 id="libraries-heading">Libraries</h2>
          <IconButton ref={plus} label="New library" onClick={() => setCreating(true)}>
            <Plus size={18} aria-hidden="true" />
          </IconButton>
        </div>
        {creating && <NewLibrary onClose={() => setCreating(false)} />}
        <LibraryList />
      </nav>
      <div className={styles.foot}>
        <Link
          href={paths.highlights}
          className={cx(styles.link, onHighlights && styles.active)}
          aria-current={onHighlights ? "page" : undefined}
        >
          <Highlighter size={18} aria-hidden="true" />
          Highlights
        </Link>
        <Link
          href={paths.settings}
          className={cx(styles.link, onSettings && styles.active)}
          aria-current={onSettings ? "page" : undefined}
        >
          <Settings size={18} aria-hidden="true" />
          Settings
        </Link>
        <Account />
      </div>
    </div>
  );
}

function Account() {
  const user = useUser();
  const leaving = useSignOut();
  return (
    <div className={styles.account}>
      <span className={styles.email} title={user.email}>
        {user.email}
      </span>
      <IconButton label="Sign out" pending={leaving.isPending} onClick={() => leaving.mutate()}>
        <LogOut size={18} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

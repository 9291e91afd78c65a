import { Highlighter, LogOut, type LucideIcon, Plus, Search, Settings } from "lucide-react";
import { useState } from "react";
import { Link, useRoute } from "wouter";
import { openPanel } from "../../shared/panels";
import { paths } from "../../shared/paths";
import { useUser } from "../../shared/session";
import { useSignOut } from "../../shared/useSignOut";
import { VIEWS } from "../../shared/views";
import { Button, IconButton } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { Logo } from "../../ui/Logo";
import { useFocusBack } from "../../ui/useFocusBack";
import { LibraryList } from "./LibraryList";
import { NewLibrary } from "./NewLibrary";
import styles from "./Sidebar.module.css";
import { TagList } from "./TagList";

/** The views, libraries, tags, settings and account, beside the view or in the drawer. */
export function Sidebar() {
  const [creating, setCreating] = useState(false);
  const plus = useFocusBack<HTMLButtonElement>(creating);
  return (
    <div className={styles.sidebar}>
      <Link href={paths.home} className={styles.home} aria-label="Nexus, go to the inbox">
        <Logo />
      </Link>
      <Button look="primary" className={styles.add} onClick={() => openPanel("add")}>
        <Plus size={18} aria-hidden="true" />
        Add
      </Button>
      <button type="button" className={styles.search} onClick={() => openPanel("search")}>
        <Search size={18} aria-hidden="true" />
        Search
        <span className={styles.key} aria-hidden="true">
          /
        </span>
      </button>
      <nav className={styles.views} aria-label="Views">
        {VIEWS.map(({ path, icon, name }) => (
          <ViewLink key={path} to={path} icon={icon} name={name} />
        ))}
        <ViewLink to={paths.highlights} icon={Highlighter} name="Highlights" />
      </nav>
      <div className={styles.own}>
        <nav aria-labelledby="libraries-heading">
          <div className={styles.head}>
            <h2 id="libraries-heading">Libraries</h2>
            <IconButton ref={plus} label="New library" onClick={() => setCreating(true)}>
              <Plus size={18} aria-hidden="true" />
            </IconButton>
          </div>
          {creating && <NewLibrary onClose={() => setCreating(false)} />}
          <LibraryList />
        </nav>
        <TagList />
      </div>
      <div className={styles.foot}>
        <ViewLink to={paths.settings} icon={Settings} name="Settings" />
        <Account />
      </div>
    </div>
  );
}

interface ViewLinkProps {
  to: string;
  icon: LucideIcon;
  name: string;
}

/** Leads to a view, and is marked while that view is shown. */
function ViewLink({ to, icon: Icon, name }: ViewLinkProps) {
  const [here] = useRoute(to);
  return (
    <Link
      href={to}
      className={cx(styles.link, here && styles.active)}
      aria-current={here ? "page" : undefined}
    >
      <Icon size={18} aria-hidden="true" />
      {name}
    </Link>
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

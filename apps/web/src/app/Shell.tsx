import { Menu as MenuIcon, Plus, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation, useRoute } from "wouter";
import { Sidebar } from "../features/libraries/Sidebar";
import { UploadsHere } from "../features/uploads/UploadsHere";
import { focusMain, MAIN_ID } from "../shared/focusMain";
import { openPanel } from "../shared/panels";
import { paths } from "../shared/paths";
import { IconButton } from "../ui/Button";
import { cx } from "../ui/cx";
import { Drawer } from "../ui/Drawer";
import { Logo } from "../ui/Logo";
import { useMediaQuery } from "../ui/useMediaQuery";
import { ConnectionBanner } from "./ConnectionBanner";
import { Everywhere } from "./Everywhere";
import styles from "./Shell.module.css";
import { useArrival } from "./useArrival";
import { useReachable } from "./useReachable";

/** The frame of the signed-in app: sidebar (a drawer on phones), banner, view. */
export function Shell({ children }: { children: ReactNode }) {
  const wide = useMediaQuery("(min-width: 768px)");
  const reachable = useReachable();
  // An article has the page to itself; its own bar leads back.
  const [reading] = useRoute("/read/:mediaId");
  return (
    <div
      className={cx(styles.shell, reading && styles.reading)}
      data-reading={reading || undefined}
    >
      <a href={`#${MAIN_ID}`} className={styles.skip} onClick={skipToMain}>
        Skip to content
      </a>
      {reading ? null : wide ? (
        <aside className={styles.side} aria-label="Sidebar">
          <Sidebar />
        </aside>
      ) : (
        <TopBar />
      )}
      <div className={styles.content}>
        <ConnectionBanner reachable={reachable} />
        <UploadsHere />
        <Main reading={reading}>{children}</Main>
      </div>
      <Everywhere />
    </div>
  );
}

function skipToMain(event: React.MouseEvent) {
  event.preventDefault();
  focusMain();
}

function TopBar() {
  const [location] = useLocation();
  // The drawer belongs to the view it was opened on: going anywhere closes it, before focus moves.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const open = openedOn === location;
  return (
    <header className={styles.topbar}>
      <IconButton label="Open menu" aria-expanded={open} onClick={() => setOpenedOn(location)}>
        <MenuIcon size={20} aria-hidden="true" />
      </IconButton>
      <Link href={paths.home} className={styles.home} aria-label="Nexus, go to the inbox">
        <Logo />
      </Link>
      <span className={styles.spring} />
      <IconButton label="Search" onClick={() => openPanel("search")}>
        <Search size={20} aria-hidden="true" />
      </IconButton>
      <IconButton label="Add" onClick={() => openPanel("add")}>
        <Plus size={22} aria-hidden="true" />
      </IconButton>
      {open && (
        <Drawer label="Menu" onClose={() => setOpenedOn(null)}>
          <Sidebar />
        </Drawer>
      )}
    </header>
  );
}

/** The view. Focus follows when another one opens, so that keyboard and screen reader start there. */
function Main({ reading, children }: { reading: boolean; children: ReactNode }) {
  useArrival(reading);
  return (
    <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
      {children}
    </main>
  );
}

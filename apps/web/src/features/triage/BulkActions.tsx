import { useQueryClient } from "@tanstack/react-query";
import { BookCheck, BookOpen, FolderPlus, Tag, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { findItem } from "../../shared/itemCache";
import { Button } from "../../ui/Button";
import { Menu, type MenuItem } from "../../ui/Menu";
import { exportMenuItem } from "../exports/menuItems";
import { clearSelection } from "../items/selection";
import { markFinished, markUnread, toggleMark } from "./actions";
import { openDialog } from "./dialogs";
import { markLook } from "./markLook";
import styles from "./Triage.module.css";

/** What can be done to everything that is ticked. */
export function BulkActions({ ids }: { ids: readonly string[] }) {
  const client = useQueryClient();
  const items = ids.flatMap((id) => findItem(client, id) ?? []);
  const mark = (name: "archived" | "favourite") => {
    const { label, Icon } = markLook(items, name);
    const act = () => {
      toggleMark(client, items, name);
      clearSelection();
    };
    return <Action label={label} icon={<Icon {...icon} />} onClick={act} />;
  };
  const more: MenuItem[] = [
    {
      label: "Mark as finished",
      icon: <BookCheck {...icon} />,
      onSelect: () => markFinished(client, items),
    },
    {
      label: "Mark as unread",
      icon: <BookOpen {...icon} />,
      onSelect: () => markUnread(client, items),
    },
    {
      label: "Add to library…",
      icon: <FolderPlus {...icon} />,
      onSelect: () => openDialog("libraries", items),
    },
    exportMenuItem(items),
    {
      label: "Remove…",
      icon: <Trash2 {...icon} />,
      danger: true,
      onSelect: () => openDialog("remove", items),
    },
  ];
  return (
    <div className={styles.bulk}>
      {mark("archived")}
      {mark("favourite")}
      <Action label="Tags…" icon={<Tag {...icon} />} onClick={() => openDialog("tags", items)} />
      <Menu label="More actions for the selection" items={more} />
    </div>
  );
}

interface ActionProps {
  label: string;
  icon: ReactNode;
  onClick: () => void;
}

function Action({ label, icon: shown, onClick }: ActionProps) {
  return (
    <Button look="ghost" title={label} onClick={onClick}>
      {shown}
      <span className={styles.word}>{label}</span>
    </Button>
  );
}

const icon = { size: 18, "aria-hidden": true } as const;

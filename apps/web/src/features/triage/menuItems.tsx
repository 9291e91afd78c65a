import type { QueryClient } from "@tanstack/react-query";
import { BookCheck, BookOpen, Tag } from "lucide-react";
import type { Media } from "../../api/types";
import type { MenuItem } from "../../ui/Menu";
import { markFinished, markUnread, toggleMark } from "./actions";
import { openDialog } from "./dialogs";
import { markLook } from "./markLook";

/** What the menu of an item offers to keep order. */
export function triageMenuItems(client: QueryClient, media: Media): MenuItem[] {
  const items: MenuItem[] = (["archived", "favourite"] as const).map((mark) => {
    const { label, Icon } = markLook([media], mark);
    const onSelect = () => toggleMark(client, [media], mark);
    return { label, icon: <Icon {...icon} />, onSelect };
  });
  items.push({
    label: "Tags…",
    icon: <Tag {...icon} />,
    onSelect: () => openDialog("tags", [media]),
  });
  if (media.state !== "finished") {
    const onSelect = () => markFinished(client, [media]);
    items.push({ label: "Mark as finished", icon: <BookCheck {...icon} />, onSelect });
  }
  if (media.state !== "unread") {
    const onSelect = () => markUnread(client, [media]);
    items.push({ label: "Mark as unread", icon: <BookOpen {...icon} />, onSelect });
  }
  return items;
}

const icon = { size: 16, "aria-hidden": true } as const;

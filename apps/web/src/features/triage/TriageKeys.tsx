import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Media } from "../../api/types";
import { findItem, itemKey } from "../../shared/itemCache";
import { type Shortcut, useShortcuts } from "../../shared/shortcuts";
import { targets } from "../items/selection";
import { toggleFinished, toggleMark } from "./actions";
import { openDialog } from "./dialogs";

/** Keys that sort out the ticked items of a list, or the one with focus. */
export function ListTriageKeys() {
  const client = useQueryClient();
  const shortcuts = useMemo(() => {
    const items = () => targets().flatMap((id) => findItem(client, id) ?? []);
    const remove: Shortcut = {
      keys: ["Delete", "#"],
      label: "Remove",
      group: GROUP,
      run: () => openDialog("remove", items()),
    };
    return [...shortcutsFor(client, items), remove];
  }, [client]);
  useShortcuts(shortcuts);
  return null;
}

/** Keys that sort out the item that is open. */
export function useItemTriageKeys({ id }: Media): void {
  const client = useQueryClient();
  const shortcuts = useMemo(() => {
    const item = () => client.getQueryData<Media>(itemKey(id)) ?? findItem(client, id);
    return shortcutsFor(client, () => [item()].filter((one) => one !== undefined));
  }, [client, id]);
  useShortcuts(shortcuts);
}

const GROUP = "Keeping order";

function shortcutsFor(client: QueryClient, items: () => readonly Media[]): Shortcut[] {
  const key = (name: string, label: string, run: () => void): Shortcut => ({
    keys: [name],
    label,
    group: GROUP,
    run,
  });
  return [
    key("e", "Archive, or move to Inbox", () => toggleMark(client, items(), "archived")),
    key("s", "Add to favourites, or remove", () => toggleMark(client, items(), "favourite")),
    key("t", "Tags…", () => openDialog("tags", items())),
    key("m", "Mark as finished, or as unread", () => toggleFinished(client, items())),
  ];
}

import { Archive, ArchiveRestore, type LucideIcon, Star, StarOff } from "lucide-react";
import type { Media } from "../../api/types";
import { allMarked, type Mark } from "./actions";

/** What a button that sets or takes away a mark says and shows. */
export function markLook(items: readonly Media[], mark: Mark): { label: string; Icon: LucideIcon } {
  const on = allMarked(items, mark);
  if (mark === "archived") {
    return on
      ? { label: "Move to Inbox", Icon: ArchiveRestore }
      : { label: "Archive", Icon: Archive };
  }
  return on
    ? { label: "Remove from favourites", Icon: StarOff }
    : { label: "Add to favourites", Icon: Star };
}

import { Share } from "lucide-react";
import type { Media } from "../../api/types";
import { copyItems } from "../../shared/CopyMenu";
import type { MenuItem } from "../../ui/Menu";
import { openExport } from "./exportDialog";

/** What the menu of an item offers to take along. */
export function exportMenuItems(media: Media): MenuItem[] {
  return [
    ...copyItems({ media_id: media.id }, [
      "Copy highlights as Markdown",
      "Copy highlights as plain text",
    ]),
    exportMenuItem([media]),
  ];
}

/** Opens the dialog about the export of some items. */
export function exportMenuItem(items: readonly Media[]): MenuItem {
  return {
    label: "Export…",
    icon: <Share size={16} aria-hidden="true" />,
    onSelect: () => openExport(items),
  };
}

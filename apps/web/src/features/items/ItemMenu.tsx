import { useQueryClient } from "@tanstack/react-query";
import { Download, ExternalLink, FolderMinus, FolderPlus, Trash2 } from "lucide-react";
import { lazy, Suspense, use, useState } from "react";
import type { Library, ListedMedia, Media } from "../../api/types";
import { originalUrl } from "../../shared/originalUrl";
import { Menu, type MenuItem } from "../../ui/Menu";
import { canManage } from "../libraries/order";
import { shownTitle } from "./itemWords";
import { useDownload, useTakeOut } from "./queries";
import { ListSlotsContext } from "./slots";

const RemoveItemDialog = lazy(async () => ({
  default: (await import("./RemoveItemDialog")).RemoveItemDialog,
}));
const AddToLibraryDialog = lazy(async () => ({
  default: (await import("./AddToLibraryDialog")).AddToLibraryDialog,
}));

interface ItemMenuProps {
  media: Media | ListedMedia;
  /** The library on whose page the item is shown. */
  library?: Library | undefined;
  onRemoved?: () => void;
}

/** What can be done with an item, the same in lists and on its page. */
export function ItemMenu({ media, library, onRemoved }: ItemMenuProps) {
  const [dialog, setDialog] = useState<"remove" | "libraries" | null>(null);
  const close = () => setDialog(null);
  const download = useDownload(media);
  const takeOut = useTakeOut(media, library);
  const original = originalUrl(media);
  const client = useQueryClient();
  const items: MenuItem[] = use(ListSlotsContext).menuItems?.(client, media) ?? [];
  if (original) {
    items.push({ label: "Open original", icon: <ExternalLink {...icon} />, href: original });
  }
  if (media.capabilities.can_download_file) {
    const onSelect = () => download.mutate();
    items.push({ label: "Download file", icon: <Download {...icon} />, onSelect });
  }
  items.push({
    label: "Add to library…",
    icon: <FolderPlus {...icon} />,
    onSelect: () => setDialog("libraries"),
  });
  if (library && canManage(library)) {
    const onSelect = () => takeOut.mutate();
    items.push({ label: "Remove from this library", icon: <FolderMinus {...icon} />, onSelect });
  }
  items.push({
    label: library && canManage(library) ? "Remove from all libraries…" : "Remove…",
    icon: <Trash2 {...icon} />,
    danger: true,
    onSelect: () => setDialog("remove"),
  });
  return (
    <>
      <Menu label={`Actions for ${shownTitle(media)}`} items={items} />
      <Suspense>
        {dialog === "remove" && (
          <RemoveItemDialog media={media} onClose={close} onRemoved={onRemoved} />
        )}
        {dialog === "libraries" && <AddToLibraryDialog media={media} onClose={close} />}
      </Suspense>
    </>
  );
}

const icon = { size: 16, "aria-hidden": true } as const;

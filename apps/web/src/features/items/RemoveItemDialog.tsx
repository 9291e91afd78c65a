import { errorWords } from "../../api/errorWords";
import type { ListedMedia, Media } from "../../api/types";
import { focusMain } from "../../shared/focusMain";
import { ConfirmDialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { shownTitle } from "./itemWords";
import { useRemoveItem } from "./queries";

interface RemoveItemDialogProps {
  media: Media | ListedMedia;
  onClose: () => void;
  onRemoved?: (() => void) | undefined;
}

/** Asks once, and says what goes with the item. */
export function RemoveItemDialog({ media, onClose, onRemoved }: RemoveItemDialogProps) {
  const removal = useRemoveItem(media, () => {
    onClose();
    onRemoved?.();
    focusMain();
  });
  return (
    <ConfirmDialog
      title={`Remove “${shownTitle(media)}”?`}
      confirmLabel="Remove"
      pending={removal.isPending}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{whatGoes(media)}</p>
      {removal.isError && <Notice kind="error">{errorWords(removal.error)}</Notice>}
    </ConfirmDialog>
  );
}

function whatGoes(media: Media | ListedMedia): string {
  const count = "highlight_count" in media ? media.highlight_count : null;
  const marks =
    count === null
      ? "Your highlights and notes on it will be deleted too."
      : count === 0
        ? ""
        : `Your ${count === 1 ? "highlight" : `${count} highlights`} and notes on it will be deleted too.`;
  const undo = "You can undo this right after.";
  return ["It will be removed from all your libraries.", marks, undo].filter(Boolean).join(" ");
}

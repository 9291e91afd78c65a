import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { addManyToLibrary } from "../../api/libraries";
import { refreshItems } from "../../shared/itemCache";
import { ConfirmDialog } from "../../ui/Dialog";
import { clearSelection } from "../items/selection";
import { TagDialog } from "../tags/TagDialog";
import { changeTags } from "./actions";
import { inBatches } from "./batches";
import { closeDialog, currentDialog, onDialogChange, type TriageDialog } from "./dialogs";
import { removeItems } from "./removal";
import { itemsWords } from "./words";

const LibraryDialog = lazy(async () => ({
  default: (await import("../items/AddToLibraryDialog")).LibraryDialog,
}));

type Items = Pick<TriageDialog, "items">;

/** The dialogs about items, wherever they are opened from. */
export function TriageDialogs() {
  const open = useSyncExternalStore(onDialogChange, currentDialog);
  if (!open) return null;
  const { kind, items } = open;
  return (
    <Suspense>
      {kind === "tags" && <EditTags items={items} />}
      {kind === "libraries" && <AddMany items={items} />}
      {kind === "remove" && <RemoveMany items={items} />}
    </Suspense>
  );
}

// Not loaded on demand: people type on right after the key, and what they type is no shortcut.
function EditTags({ items }: Items) {
  const client = useQueryClient();
  return (
    <TagDialog
      items={items}
      what={itemsWords(items)}
      onSave={(edit) => changeTags(client, items, edit)}
      onClose={closeDialog}
    />
  );
}

function AddMany({ items }: Items) {
  const client = useQueryClient();
  const adding = useMutation<void, Error, string>({
    mutationFn: async (libraryId) => {
      const ids = items.map(({ id }) => id);
      const { error } = await inBatches(ids, (some) => addManyToLibrary(libraryId, some));
      if (error !== null) throw error;
    },
    onSettled: () => refreshItems(client),
  });
  return (
    <LibraryDialog
      what={itemsWords(items)}
      adding={adding}
      holds={() => false}
      onClose={closeDialog}
    />
  );
}

function RemoveMany({ items }: Items) {
  const client = useQueryClient();
  const confirm = () => {
    closeDialog();
    clearSelection();
    void removeItems(client, items);
  };
  const them = items.length === 1 ? "It" : "They";
  return (
    <ConfirmDialog
      title={`Remove ${itemsWords(items)}?`}
      confirmLabel="Remove"
      pending={false}
      onConfirm={confirm}
      onClose={closeDialog}
    >
      <p>
        {them} will be removed from all your libraries, with your highlights and notes. You can undo
        this right after.
      </p>
    </ConfirmDialog>
  );
}

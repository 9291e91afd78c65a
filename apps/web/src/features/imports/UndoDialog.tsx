import { errorWords } from "../../api/errorWords";
import { type Import, undoImport } from "../../api/imports";
import { ConfirmDialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { useImportChange } from "./queries";
import { counted } from "./words";

/** Asks before an import is taken back, and says what goes and what stays. */
export function UndoDialog({ one, onClose }: { one: Import; onClose: () => void }) {
  const undo = useImportChange(() => undoImport(one.id));
  return (
    <ConfirmDialog
      title="Undo this import?"
      confirmLabel="Undo import"
      pending={undo.isPending}
      onConfirm={() => undo.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        <strong>Goes:</strong> what this import added and you have not changed since, up to{" "}
        {counted(one.counts.items_done, "item")} with their highlights, notes, tags and libraries.
      </p>
      <p>
        <strong>Stays:</strong> what was in Nexus before, and every item that you have read,
        highlighted, tagged or moved since.
      </p>
      {undo.isError && <Notice kind="error">{errorWords(undo.error)}</Notice>}
    </ConfirmDialog>
  );
}

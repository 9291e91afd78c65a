import { useLocation } from "wouter";
import { errorWords } from "../../api/errorWords";
import type { Library } from "../../api/types";
import { focusMain } from "../../shared/focusMain";
import { paths } from "../../shared/paths";
import { useUser } from "../../shared/session";
import { ConfirmDialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { showToast } from "../../ui/toasts";
import { useDeleteLibrary } from "./queries";

interface DeleteLibraryDialogProps {
  library: Library;
  onClose: () => void;
}

/** Asks once, says what stays, and leaves the library's page if it was open. */
export function DeleteLibraryDialog({ library, onClose }: DeleteLibraryDialogProps) {
  const user = useUser();
  const [location, navigate] = useLocation();
  const deletion = useDeleteLibrary(library.id, () => {
    showToast(`“${library.name}” was deleted.`);
    onClose();
    if (location === paths.library(library.id)) navigate(paths.home, { replace: true });
    focusMain();
  });

  return (
    <ConfirmDialog
      title={`Delete “${library.name}”?`}
      confirmLabel="Delete library"
      pending={deletion.isPending}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>{whatStays(library, user.id)}</p>
      {deletion.isError && <Notice kind="error">{errorWords(deletion.error)}</Notice>}
    </ConfirmDialog>
  );
}

function whatStays(library: Library, userId: string): string {
  if (library.owner_user_id !== userId) {
    return "It will be deleted for everyone who shares it. This cannot be undone.";
  }
  if (library.media_count === 0) return "It is empty, so nothing else will be deleted.";
  const items = library.media_count === 1 ? "The one item" : `The ${library.media_count} items`;
  return `${items} in it, and your highlights, will stay in My Library. The library itself cannot be restored.`;
}

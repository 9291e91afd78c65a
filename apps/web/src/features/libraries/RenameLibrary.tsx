import type { Library } from "../../api/types";
import { NameForm } from "./NameForm";
import { useRenameLibrary } from "./queries";

interface RenameLibraryProps {
  library: Library;
  onClose: () => void;
}

/** The name of a library, being edited. */
export function RenameLibrary({ library, onClose }: RenameLibraryProps) {
  const renaming = useRenameLibrary(library.id, onClose);
  return (
    <NameForm
      label="Library name"
      initial={library.name}
      pending={renaming.isPending}
      error={renaming.error}
      onSave={(name) => renaming.mutate(name)}
      onCancel={onClose}
    />
  );
}

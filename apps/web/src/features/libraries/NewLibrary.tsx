import { useLocation } from "wouter";
import { paths } from "../../shared/paths";
import { showToast } from "../../ui/toasts";
import { NameForm } from "./NameForm";
import { useCreateLibrary } from "./queries";
import styles from "./Sidebar.module.css";

/** A new library, named in place; once made, it opens. */
export function NewLibrary({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const creation = useCreateLibrary((library) => {
    onClose();
    showToast(`“${library.name}” was created.`);
    navigate(paths.library(library.id));
  });
  return (
    <div className={styles.editing}>
      <NameForm
        label="Name of the new library"
        pending={creation.isPending}
        error={creation.error}
        onSave={(name) => creation.mutate(name)}
        onCancel={onClose}
      />
    </div>
  );
}

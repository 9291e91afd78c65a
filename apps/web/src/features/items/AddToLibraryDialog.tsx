import type { UseMutationResult } from "@tanstack/react-query";
import { Check, Plus } from "lucide-react";
import { useState } from "react";
import { errorWords } from "../../api/errorWords";
import type { Library, Media } from "../../api/types";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { SkeletonRows } from "../../ui/States";
import { NameForm } from "../libraries/NameForm";
import { useCreateLibrary, useLibraries } from "../libraries/queries";
import styles from "./AddToLibraryDialog.module.css";
import { shownTitle } from "./itemWords";
import { useAddToLibrary, useHoldingLibraries } from "./queries";

interface AddToLibraryDialogProps {
  media: Media;
  onClose: () => void;
}

/** Puts an item into libraries, or into one made on the spot. */
export function AddToLibraryDialog({ media, onClose }: AddToLibraryDialogProps) {
  const holders = useHoldingLibraries(media.id);
  const adding = useAddToLibrary(media.id);
  const holds = ({ id }: Library) => holders.data?.includes(id) ?? false;
  return <LibraryDialog what={shownTitle(media)} {...{ adding, holds, onClose }} />;
}

interface LibraryDialogProps {
  /** Names what is put there. */
  what: string;
  /** Puts it into a library. */
  adding: Pick<
    UseMutationResult<unknown, Error, string>,
    "mutate" | "isPending" | "variables" | "isError" | "error"
  >;
  /** Is it there already? */
  holds: (library: Library) => boolean;
  onClose: () => void;
}

/** The libraries to choose from. */
export function LibraryDialog({ what, adding, holds, onClose }: LibraryDialogProps) {
  const libraries = useLibraries();
  const [added, setAdded] = useState<readonly string[]>([]);
  const add = (library: Library) =>
    adding.mutate(library.id, { onSuccess: () => setAdded((all) => [...all, library.id]) });
  const stateOf = (library: Library) =>
    added.includes(library.id) ? "Added" : holds(library) ? "Already added" : null;
  const choices = libraries.data?.filter((one) => one.role === "admin" && !one.is_default);
  return (
    <Dialog title="Add to library" onClose={onClose}>
      <p className={styles.what}>{what}</p>
      {!choices && <SkeletonRows rows={3} label="Loading your libraries" />}
      {choices && (
        <ul className={styles.list}>
          {choices.map((library) => (
            <li key={library.id}>
              <Choice
                library={library}
                state={stateOf(library)}
                pending={adding.isPending && adding.variables === library.id}
                onAdd={() => add(library)}
              />
            </li>
          ))}
        </ul>
      )}
      <Create onCreated={add} />
      {adding.isError && <Notice kind="error">{errorWords(adding.error)}</Notice>}
      <div className={styles.actions}>
        <Button look={added.length > 0 ? "primary" : "secondary"} onClick={onClose}>
          {added.length > 0 ? "Done" : "Cancel"}
        </Button>
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  library: Library;
  /** Whether the item is there, in words. */
  state: string | null;
  pending: boolean;
  onAdd: () => void;
}

function Choice({ library, state, pending, onAdd }: ChoiceProps) {
  return (
    <button type="button" className={styles.choice} aria-busy={pending} onClick={onAdd}>
      <span className={styles.name}>{library.name}</span>
      <span className={styles.mark} role="status">
        {state && (
          <>
            <Check size={16} aria-hidden="true" /> {state}
          </>
        )}
      </span>
    </button>
  );
}

function Create({ onCreated }: { onCreated: (library: Library) => void }) {
  const [naming, setNaming] = useState(false);
  const creation = useCreateLibrary((library) => {
    setNaming(false);
    onCreated(library);
  });
  if (!naming) {
    return (
      <Button look="ghost" className={styles.create} onClick={() => setNaming(true)}>
        <Plus size={16} aria-hidden="true" />
        New library
      </Button>
    );
  }
  return (
    <NameForm
      label="Name of the new library"
      pending={creation.isPending}
      error={creation.error}
      onSave={(name) => creation.mutate(name)}
      onCancel={() => setNaming(false)}
    />
  );
}

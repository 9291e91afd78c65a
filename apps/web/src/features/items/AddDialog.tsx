import { useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Link } from "wouter";
import { fileNames } from "../../shared/kinds";
import { paths } from "../../shared/paths";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { libraryInView } from "../libraries/libraryInView";
import { pickFiles } from "../uploads/pickFiles";
import { uploadFiles } from "../uploads/uploads";
import styles from "./AddDialog.module.css";
import { findAddresses } from "./pastedAddresses";
import { saveText } from "./saves";

interface AddDialogProps {
  onClose: () => void;
}

/** Addresses typed or pasted, one or many, and files. */
export function AddDialog({ onClose }: AddDialogProps) {
  const client = useQueryClient();
  const library = libraryInView(client);
  const libraryId = library?.id ?? null;

  function save(text: string) {
    onClose();
    void saveText(client, text, libraryId);
  }

  async function upload() {
    const files = await pickFiles({ multiple: true });
    if (files.length === 0) return;
    onClose();
    uploadFiles(client, files, { libraryId });
  }

  return (
    <Dialog title="Add to Nexus" onClose={onClose}>
      <AddressForm library={library?.name} onSave={save}>
        <Button className={styles.files} onClick={() => void upload()}>
          <FileUp size={16} aria-hidden="true" />
          {fileNames("or")}…
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </AddressForm>
      <p className={styles.import}>
        Coming from another app?{" "}
        <Link href={paths.import()} onClick={onClose}>
          Import bookmarks and highlights
        </Link>
      </p>
    </Dialog>
  );
}

interface AddressFormProps {
  /** The library that the items also go into. */
  library: string | undefined;
  onSave: (text: string) => void;
  /** What else can be done, before the button that saves. */
  children: ReactNode;
}

function AddressForm({ library, onSave, children }: AddressFormProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const touch = useMediaQuery("(pointer: coarse)");
  useEffect(() => field.current?.focus(), []);

  function save(event?: FormEvent) {
    event?.preventDefault();
    const text = field.current?.value ?? "";
    if (findAddresses(text).addresses.length > 0) return onSave(text);
    setProblem(text.trim() ? "There is no web address in this." : "Enter a web address first.");
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    // One address and Enter is the usual case; a list is written with Shift+Enter or pasted.
    // Keyboards on screens have no Shift+Enter, so there Enter begins a line.
    if (event.key !== "Enter" || event.shiftKey || touch || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  }

  return (
    <form className={styles.form} onSubmit={save} noValidate>
      <label htmlFor={id}>Web addresses, one or more</label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        placeholder="https://"
        inputMode="url"
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint`}
        onKeyDown={onKeyDown}
        onChange={() => setProblem(null)}
      />
      <p id={`${id}-hint`} className={problem ? styles.problem : styles.hint} role="status">
        {problem ?? hint(touch, library)}
      </p>
      <div className={styles.actions}>
        {children}
        <Button look="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}

function hint(touch: boolean, library: string | undefined): string {
  const how = touch
    ? "One on each line."
    : "You can also paste anywhere in Nexus, or drop files on the window.";
  return library ? `${how} It will also be added to “${library}”.` : how;
}

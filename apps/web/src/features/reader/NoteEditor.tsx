import { CircleAlert } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { isSessionEnd } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { Button } from "../../ui/Button";
import styles from "./NoteEditor.module.css";
import { MAX_NOTE_LENGTH, type NoteSaver } from "./notes/noteSaver";

interface NoteEditorProps {
  note: NoteSaver;
  /** Grows each time the editor is asked for; it then takes focus. */
  focusRequest: number;
  onLeave: () => void;
}

/** The text of a note and its state. */
export function useNote(note: NoteSaver) {
  const body = useSyncExternalStore(note.subscribe, () => note.body);
  const state = useSyncExternalStore(note.subscribe, () => note.state);
  return { body, state };
}

/** A note edited in place. It saves itself. */
export function NoteEditor({ note, focusRequest, onLeave }: NoteEditorProps) {
  const { body, state } = useNote(note);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focusRequest > 0) focusAtEnd(field.current);
  }, [focusRequest]);
  return (
    <div className={styles.editor}>
      <textarea
        ref={field}
        className={styles.field}
        aria-label="Note"
        placeholder="Write a note…"
        rows={2}
        value={body}
        onChange={(event) => note.edit(event.currentTarget.value)}
        onBlur={() => note.flush()}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          event.stopPropagation();
          note.flush();
          onLeave();
        }}
      />
      <p role="status" className={styles.state}>
        {stateWords(note)}
      </p>
      {state === "failed" && (
        <div className={styles.problem}>
          <CircleAlert size={16} aria-hidden="true" />
          <p>
            Not saved yet. {isSessionEnd(note.error) ? "" : errorWords(note.error)} Your text is
            kept on this device.
          </p>
          <Button look="ghost" onClick={() => note.flush()}>
            Save now
          </Button>
        </div>
      )}
      {state === "conflict" && (
        <div className={styles.problem}>
          <CircleAlert size={16} aria-hidden="true" />
          <p>This note was also changed elsewhere. Which version do you want to keep?</p>
          <Button onClick={() => note.keepMine()}>Keep this one</Button>
          <Button look="ghost" onClick={() => note.takeSaved()}>
            Use the other one
          </Button>
        </div>
      )}
    </div>
  );
}

function stateWords({ state, body }: NoteSaver): string {
  if (state === "unsaved" || state === "saving") return "Saving…";
  if (state === "saved") return body ? "Saved" : "";
  if (state === "waiting") return "Waiting to sync. Your note is kept on this device.";
  if (state === "too-long") {
    const over = [...body].length - MAX_NOTE_LENGTH;
    return `Too long by ${over.toLocaleString("en")} characters; not saved yet.`;
  }
  return "";
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
  field?.setSelectionRange(field.value.length, field.value.length);
}

import { CloudOff, MessageSquarePlus, TextSelect, Trash2 } from "lucide-react";
import { memo } from "react";
import { CopyMenu } from "../../shared/CopyMenu";
import { PageMark } from "../../shared/PageMark";
import type { PageIndex } from "../../shared/pages";
import { IconButton } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { ColorButtons } from "./ColorButtons";
import type { HighlightColor } from "./colors";
import type { ReaderHighlight } from "./data/readerHighlight";
import styles from "./HighlightCard.module.css";
import { NoteEditor, useNote } from "./NoteEditor";
import type { NoteBook } from "./notes/noteBook";

export type CardHandlers = {
  activate: (id: string) => void;
  color: (id: string, color: HighlightColor) => void;
  write: (id: string) => void;
  reselect: (id: string) => void;
  remove: (id: string) => void;
  leave: (id: string) => void;
};

interface HighlightCardProps {
  highlight: ReaderHighlight;
  active: boolean;
  pointed: boolean;
  /** The one card that Tab reaches; the arrow keys lead to the others. */
  tabbable: boolean;
  /** Above 0 while the note is being written; grows with each request to write. */
  writing: number;
  notes: NoteBook;
  handlers: CardHandlers;
  /** The pages of the document, where it has any: they also know where new highlights are. */
  pages?: PageIndex | null;
  /** What the part of the text is called that it is in. */
  chapter?: string | null;
}

/** One highlight beside the text: what it says, its note, and what can be done with it. */
export const HighlightCard = memo(function HighlightCard(props: HighlightCardProps) {
  const { highlight, active, pointed } = props;
  return (
    <li
      className={cx(styles.card, active && styles.active, pointed && styles.pointed)}
      data-color={highlight.color}
      data-highlight-id={highlight.id}
      data-pending={highlight.pending || undefined}
    >
      <CardFace {...props} />
      {active && <CardTools {...props} />}
    </li>
  );
});

function CardFace(props: HighlightCardProps) {
  const { highlight, active, tabbable, writing, notes, handlers, pages, chapter } = props;
  const { body, state } = useNote(notes.open(highlight));
  const showsEditor = active && (writing > 0 || body !== "" || state !== "saved");
  return (
    <button
      type="button"
      id={cardId(highlight.id)}
      className={styles.face}
      tabIndex={tabbable ? 0 : -1}
      aria-current={active ? "true" : undefined}
      onClick={() => handlers.activate(highlight.id)}
    >
      <span className="visually-hidden">Highlight, {highlight.color}: </span>
      <span className={styles.quote} dir="auto">
        {highlight.exact}
      </span>
      <PageMark of={pages?.of(highlight) ?? highlight} className={styles.page} />
      {chapter && (
        <span className={styles.chapter} dir="auto">
          <span className="visually-hidden">in </span>
          {chapter}
        </span>
      )}
      {body && !showsEditor && (
        <>
          <span className="visually-hidden">. Note: </span>
          <span className={styles.note} dir="auto">
            {body}
          </span>
        </>
      )}
      {(highlight.waiting || (!active && state === "waiting")) && (
        <span className={styles.waiting}>
          <CloudOff size={14} aria-hidden="true" /> Waiting to sync
        </span>
      )}
      {!active && state !== "saved" && state !== "waiting" && (
        <span className={styles.unsaved}>Note not saved yet</span>
      )}
    </button>
  );
}

function CardTools({ highlight, writing, notes, handlers }: HighlightCardProps) {
  const note = notes.open(highlight);
  const { body, state } = useNote(note);
  const { id, color } = highlight;
  const editing = writing > 0 || body !== "" || state !== "saved";
  return (
    <div className={styles.tools}>
      {editing && (
        <NoteEditor note={note} focusRequest={writing} onLeave={() => handlers.leave(id)} />
      )}
      <div className={styles.actions}>
        <ColorButtons
          label="Change to"
          chosen={color}
          onChoose={(chosen) => handlers.color(id, chosen)}
        />
        <span className={styles.buttons}>
          {!editing && (
            <IconButton label="Write a note" onClick={() => handlers.write(id)}>
              <MessageSquarePlus size={17} aria-hidden="true" />
            </IconButton>
          )}
          {!highlight.pending && (
            <CopyMenu wanted={{ highlight_id: id }} label="Copy this highlight" />
          )}
          <IconButton label="Choose another passage" onClick={() => handlers.reselect(id)}>
            <TextSelect size={17} aria-hidden="true" />
          </IconButton>
          <IconButton label="Delete highlight" onClick={() => handlers.remove(id)}>
            <Trash2 size={17} aria-hidden="true" />
          </IconButton>
        </span>
      </div>
    </div>
  );
}

/** The id of the part of a card that takes focus. */
export function cardId(id: string): string {
  return `highlight-${id}`;
}

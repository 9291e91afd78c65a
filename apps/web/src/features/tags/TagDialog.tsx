import { useRef, useState } from "react";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { type ChosenTag, editOf, type TagEdit, tagsOf, withoutTag, withTag } from "./chosenTags";
import { TagChips } from "./TagChips";
import { TagInput } from "./TagInput";
import styles from "./Tags.module.css";

interface TagDialogProps {
  items: readonly { tags: readonly string[] }[];
  /** Names the items. */
  what: string;
  onSave: (edit: TagEdit) => void;
  onClose: () => void;
}

/** The tags of one item or of several; nothing is changed before it is saved. */
export function TagDialog({ items, what, onSave, onClose }: TagDialogProps) {
  const all = items.length;
  const [before] = useState(() => tagsOf(items));
  const [tags, setTags] = useState<readonly ChosenTag[]>(before);
  const [typed, setTyped] = useState<readonly string[] | null>([]);

  const field = useRef<HTMLInputElement>(null);
  const touch = useMediaQuery("(pointer: coarse)");

  function remove(name: string) {
    setTags(withoutTag(tags, name));
    // The button that had focus is gone. A keyboard on the screen comes only when asked for.
    if (!touch) field.current?.focus();
  }

  // What was typed and not yet added counts as well: nobody types a tag to throw it away.
  function save() {
    if (typed === null) return;
    const chosen = typed.reduce((now, name) => withTag(now, name, all), tags);
    const edit = editOf(before, chosen, all);
    if (edit) onSave(edit);
    onClose();
  }

  return (
    <Dialog title="Tags" onClose={onClose}>
      <p className={styles.what}>{what}</p>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TagChips
          tags={tags}
          all={all}
          onAddToAll={(name) => setTags(withTag(tags, name, all))}
          onRemove={remove}
        />
        <TagInput
          field={field}
          chosen={tags.filter(({ count }) => count === all).map(({ name }) => name)}
          onAdd={(names) => setTags(names.reduce((now, name) => withTag(now, name, all), tags))}
          onRemoveLast={() => setTags(tags.slice(0, -1))}
          onTyped={setTyped}
        />
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

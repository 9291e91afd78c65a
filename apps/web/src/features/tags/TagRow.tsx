import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { errorWords } from "../../api/errorWords";
import type { Tag } from "../../api/types";
import { focusMain } from "../../shared/focusMain";
import { paths } from "../../shared/paths";
import { isSameTag } from "../../shared/tags";
import { IconButton } from "../../ui/Button";
import { ConfirmDialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { useFocusBack } from "../../ui/useFocusBack";
import { NameForm } from "../libraries/NameForm";
import { useDeleteTag, useRenameTag } from "./queries";
import styles from "./TagsPage.module.css";

interface TagRowProps {
  tag: Tag;
  /** All of them, to know which name is taken. */
  tags: readonly Tag[];
}

/** One tag: how many items have it, its name to change, and a way to delete it. */
export function TagRow({ tag, tags }: TagRowProps) {
  const [asking, setAsking] = useState<"rename" | "delete" | null>(null);
  const close = () => setAsking(null);
  const pencil = useFocusBack<HTMLButtonElement>(asking === "rename");
  return (
    <li className={styles.row}>
      {asking === "rename" ? (
        <Rename tag={tag} tags={tags} onClose={close} />
      ) : (
        <>
          <Link href={paths.tag(tag.name)} className={styles.link}>
            <bdi>{tag.name}</bdi>
          </Link>
          <span className={styles.count}>{itemCount(tag.count)}</span>
          <IconButton ref={pencil} label={`Rename ${tag.name}`} onClick={() => setAsking("rename")}>
            <Pencil size={17} aria-hidden="true" />
          </IconButton>
          <IconButton label={`Delete ${tag.name}`} onClick={() => setAsking("delete")}>
            <Trash2 size={17} aria-hidden="true" />
          </IconButton>
        </>
      )}
      {asking === "delete" && <DeleteTag tag={tag} onClose={close} />}
    </li>
  );
}

function Rename({ tag, tags, onClose }: TagRowProps & { onClose: () => void }) {
  const [taken, setTaken] = useState<Tag | null>(null);
  const renaming = useRenameTag(tag, () => {
    if (taken) focusMain();
    onClose();
  });
  const save = (name: string) => {
    const other = tags.find((one) => one.name !== tag.name && isSameTag(one.name, name));
    if (other) setTaken(other);
    else renaming.mutate({ name, merges: false });
  };
  return (
    <>
      <NameForm
        label={`New name for ${tag.name}`}
        initial={tag.name}
        pending={renaming.isPending}
        error={renaming.error}
        onSave={save}
        onCancel={onClose}
      />
      {taken && (
        <ConfirmDialog
          title={`Merge “${tag.name}” into “${taken.name}”?`}
          confirmLabel="Merge"
          pending={renaming.isPending}
          onConfirm={() => renaming.mutate({ name: taken.name, merges: true })}
          onClose={() => setTaken(null)}
        >
          <p>
            A tag “{taken.name}” exists already. {itemCount(tag.count)} tagged “{tag.name}” will be
            tagged “{taken.name}” instead. This cannot be undone.
          </p>
          {renaming.isError && <Notice kind="error">{errorWords(renaming.error)}</Notice>}
        </ConfirmDialog>
      )}
    </>
  );
}

function DeleteTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const deletion = useDeleteTag(tag, () => {
    onClose();
    focusMain();
  });
  return (
    <ConfirmDialog
      title={`Delete the tag “${tag.name}”?`}
      confirmLabel="Delete tag"
      pending={deletion.isPending}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>
        {tag.count > 0
          ? `${itemCount(tag.count)} will lose it, and stay otherwise as they are. This cannot be undone.`
          : "No item has it."}
      </p>
      {deletion.isError && <Notice kind="error">{errorWords(deletion.error)}</Notice>}
    </ConfirmDialog>
  );
}

function itemCount(count: number): string {
  return count === 1 ? "1 item" : `${count.toLocaleString("en")} items`;
}

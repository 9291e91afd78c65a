import { useRef, useState } from "react";
import { isSameTag } from "../../shared/tags";
import { Select } from "../../ui/Select";
import { NameForm } from "../libraries/NameForm";
import { useCreateLibrary, useLibraries } from "../libraries/queries";
import { TagChips } from "../tags/TagChips";
import { TagInput } from "../tags/TagInput";
import styles from "./Import.module.css";

const NEW = "new";

export interface Where {
  libraryId: string | null;
  tags: readonly string[];
  /** What stands in the field counts as well: nobody types a tag to throw it away. */
  typed: readonly string[];
}

interface DestinationProps {
  where: Where;
  onChange: (change: (where: Where) => Where) => void;
}

/** Where the items also go, and which tags they get, besides what the file says. */
export function Destination(props: DestinationProps) {
  return (
    <section className={styles.section} aria-labelledby="destination-heading">
      <h2 id="destination-heading">Where it goes</h2>
      <p className={styles.soft}>
        Folders in the file become libraries, and its tags become tags. You can also put everything
        into one library and add tags to all of it.
      </p>
      <ChooseLibrary {...props} />
      <ChooseTags {...props} />
    </section>
  );
}

function ChooseLibrary({ where, onChange }: DestinationProps) {
  const libraries = useLibraries().data ?? [];
  const [naming, setNaming] = useState(false);
  const put = (libraryId: string | null) => onChange((now) => ({ ...now, libraryId }));
  const creation = useCreateLibrary(({ id }) => {
    setNaming(false);
    put(id);
  });
  if (naming) {
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
  const own = libraries.filter((one) => one.role === "admin" && !one.is_default);
  return (
    <Select
      label="Library"
      value={where.libraryId ?? ""}
      options={[
        ["", "No other library"],
        ...own.map(({ id, name }) => [id, name] as const),
        [NEW, "New library…"],
      ]}
      onChoose={(chosen) => (chosen === NEW ? setNaming(true) : put(chosen || null))}
    />
  );
}

function ChooseTags({ where: { tags }, onChange }: DestinationProps) {
  const field = useRef<HTMLInputElement>(null);
  const set = (next: (tags: readonly string[]) => readonly string[]) =>
    onChange((now) => ({ ...now, tags: next(now.tags) }));
  return (
    <div className={styles.tags}>
      <TagChips
        tags={tags.map((name) => ({ name, count: 1 }))}
        all={1}
        onAddToAll={() => undefined}
        onRemove={(name) => {
          set((all) => all.filter((tag) => !isSameTag(tag, name)));
          field.current?.focus();
        }}
      />
      <TagInput
        field={field}
        takesFocus={false}
        chosen={tags}
        onAdd={(names) => set((all) => withAll(all, names))}
        onRemoveLast={() => set((all) => all.slice(0, -1))}
        onTyped={(typed) => onChange((now) => ({ ...now, typed: typed ?? [] }))}
      />
    </div>
  );
}

/** The tags, each once. */
export function withAll(tags: readonly string[], more: readonly string[]): string[] {
  const all = [...tags];
  for (const name of more) if (!all.some((tag) => isSameTag(tag, name))) all.push(name);
  return all;
}

import { useState } from "react";
import type { Tag } from "../../api/types";
import { tagKey, useTags } from "../../shared/tags";
import { EmptyState, ErrorState, SkeletonRows } from "../../ui/States";
import { useTitle } from "../../ui/useTitle";
import { TagRow } from "./TagRow";
import styles from "./TagsPage.module.css";

// With fewer, one sees them all at a glance.
const WORTH_FILTERING = 12;

/** All tags of the person, to rename, merge and delete them. */
export function TagsPage() {
  useTitle("Tags");
  const tags = useTags();
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>Tags</h1>
        <p>Give a tag the name of another one to merge the two. Nobody else sees your tags.</p>
      </header>
      {tags.data ? (
        <Loaded tags={tags.data} />
      ) : tags.isError ? (
        <ErrorState
          error={tags.error}
          retrying={tags.isFetching}
          onRetry={() => void tags.refetch()}
        />
      ) : (
        <SkeletonRows rows={6} label="Loading your tags" />
      )}
    </div>
  );
}

function Loaded({ tags }: { tags: readonly Tag[] }) {
  const [text, setText] = useState("");
  if (tags.length === 0) {
    return (
      <EmptyState title="No tags yet">
        <p>Choose “Tags…” in the menu of any item, or press t.</p>
      </EmptyState>
    );
  }
  const shown = tags.filter(({ name }) => tagKey(name).includes(tagKey(text.trim())));
  return (
    <>
      {tags.length > WORTH_FILTERING && (
        <input
          type="search"
          className={styles.filter}
          aria-label="Filter tags"
          placeholder="Filter tags"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <ul className={styles.list} aria-label="Tags">
        {shown.map((tag) => (
          <TagRow key={tag.name} tag={tag} tags={tags} />
        ))}
      </ul>
      <p role="status" className={shown.length > 0 ? "visually-hidden" : styles.none}>
        {shown.length === 0 ? "No tag fits." : text && `${shown.length} tags`}
      </p>
    </>
  );
}

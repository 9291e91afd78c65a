import { Tag as TagIcon } from "lucide-react";
import { useState } from "react";
import { Link, useRoute } from "wouter";
import type { Tag } from "../../api/types";
import { paths } from "../../shared/paths";
import { isSameTag, useTags } from "../../shared/tags";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { ItemCount } from "./ItemCount";
import styles from "./Sidebar.module.css";

// With more, the sidebar shows the most used until all are asked for.
const SHOWN = 8;

/** The person's tags; nothing while there are none. */
export function TagList() {
  const tags = useTags().data ?? [];
  const [all, setAll] = useState(false);
  const [, params] = useRoute<{ name: string }>("/tags/:name");
  if (tags.length === 0) return null;
  const isHere = ({ name }: Tag) => params !== null && isSameTag(name, params.name);
  const shown = all ? tags : mostUsed(tags, isHere);
  return (
    <nav className={styles.tags} aria-labelledby="tags-heading">
      <div className={styles.head}>
        <h2 id="tags-heading">
          <Link href={paths.tags}>Tags</Link>
        </h2>
      </div>
      <ul className={styles.list}>
        {shown.map((tag) => (
          <TagRow key={tag.name} tag={tag} here={isHere(tag)} />
        ))}
      </ul>
      {tags.length > SHOWN && (
        <Button look="ghost" className={styles.more} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${tags.length.toLocaleString("en")}`}
        </Button>
      )}
    </nav>
  );
}

/** The most used tags and the one that is shown, by name like all of them. */
function mostUsed(tags: readonly Tag[], isHere: (tag: Tag) => boolean): Tag[] {
  const most = new Set([...tags].sort((a, b) => b.count - a.count).slice(0, SHOWN));
  return tags.filter((tag) => most.has(tag) || isHere(tag));
}

function TagRow({ tag: { name, count }, here }: { tag: Tag; here: boolean }) {
  return (
    <li className={cx(styles.row, here && styles.active)}>
      <Link href={paths.tag(name)} className={styles.link} aria-current={here ? "page" : undefined}>
        <TagIcon size={18} aria-hidden="true" />
        <span className={styles.name} title={name}>
          {name}
        </span>
        <ItemCount count={count} />
      </Link>
    </li>
  );
}

import { Link } from "wouter";
import type { HighlightOfMedia } from "../../api/highlights";
import { CopyMenu } from "../../shared/CopyMenu";
import { PageMark } from "../../shared/PageMark";
import { paths } from "../../shared/paths";
import { Time } from "../../ui/Time";
import styles from "./HighlightsPage.module.css";

/** A highlight with its note; it opens the reader at its place. */
export function HighlightRow({ highlight }: { highlight: HighlightOfMedia }) {
  const { id, media_id, exact, color, annotation, chapter, created_at } = highlight;
  return (
    <li className={styles.row} data-color={color}>
      <Link href={paths.read(media_id, id)} className={styles.link}>
        <span className="visually-hidden">{color} highlight: </span>
        <span className={styles.quote} dir="auto">
          {exact}
        </span>
      </Link>
      {annotation && (
        <p className={styles.note} dir="auto">
          {annotation.body}
        </p>
      )}
      <div className={styles.foot}>
        <p className={styles.meta}>
          {chapter && (
            <span className={styles.chapter} dir="auto">
              {chapter}
            </span>
          )}
          <PageMark of={highlight} className={styles.where} />
          <Time at={created_at} />
        </p>
        <CopyMenu wanted={{ highlight_id: id }} label="Copy this highlight" />
      </div>
    </li>
  );
}

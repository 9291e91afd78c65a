import { Link } from "wouter";
import type { MediaQuery } from "../../api/media";
import type { ListedMedia } from "../../api/types";
import { CONTINUE } from "../../shared/views";
import styles from "./ContinueRow.module.css";
import { itemHref } from "./ItemRow";
import { timeLeft } from "./itemFacts";
import { shownTitle, siteName } from "./itemWords";
import { Progress } from "./Progress";
import { useItemList } from "./useItemList";

const SHOWN = 3;
const BEGUN: MediaQuery = { ...CONTINUE.query, sort: "opened" };

/** What was being read last, on top of the inbox; nothing where nothing is begun. */
export function ContinueRow() {
  const { rows } = useItemList(BEGUN);
  const items = rows.items.filter((item) => item !== null);
  if (items.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="continue-reading">
      <div className={styles.head}>
        <h2 id="continue-reading">{CONTINUE.name}</h2>
        {items.length > SHOWN && <Link href={CONTINUE.path}>Show all</Link>}
      </div>
      <ul className={styles.cards}>
        {items.slice(0, SHOWN).map((media) => (
          <Card key={media.id} media={media} />
        ))}
      </ul>
    </section>
  );
}

function Card({ media }: { media: ListedMedia }) {
  return (
    <li>
      <Link href={itemHref(media)} className={styles.card} lang={media.language ?? undefined}>
        <span className={styles.title}>{shownTitle(media)}</span>
        <span className={styles.facts}>
          <Progress media={media} />
          <span className={styles.site}>{timeLeft(media) ?? siteName(media)}</span>
        </span>
      </Link>
    </li>
  );
}

import { ChevronRight } from "lucide-react";
import { Link } from "wouter";
import type { Import } from "../../api/imports";
import { paths } from "../../shared/paths";
import { ErrorState, SkeletonRows } from "../../ui/States";
import { Time } from "../../ui/Time";
import styles from "./Import.module.css";
import { useImports } from "./queries";
import { contentsWords, STANDING_WORDS, type Standing, standingOf } from "./words";

/** What was imported before, the newest first. */
export function ImportList() {
  const imports = useImports();
  if (imports.data?.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="imports-heading">
      <h2 id="imports-heading">Your imports</h2>
      {imports.data ? (
        <ul className={styles.imports}>
          {imports.data.map((one) => (
            <ImportRow key={one.id} one={one} />
          ))}
        </ul>
      ) : imports.isError ? (
        <ErrorState
          error={imports.error}
          retrying={imports.isFetching}
          onRetry={() => imports.refetch()}
        />
      ) : (
        <SkeletonRows rows={2} label="Loading your imports" />
      )}
    </section>
  );
}

// There is little room beside a name.
const SHORT_WORDS: Partial<Record<Standing, string>> = { fetching: "Fetching pages…" };

function ImportRow({ one }: { one: Import }) {
  const standing = standingOf(one);
  return (
    <li>
      <Link href={paths.import(one.id)} className={styles.import}>
        <span className={styles.importText}>
          <span className={styles.fileName}>{one.name}</span>
          <span className={styles.meta}>
            <span>{one.format_label}</span>
            <span>{contentsWords(one)}</span>
            <Time at={one.created_at} />
          </span>
        </span>
        <span className={styles.importEnd}>
          <span className={styles.standing} data-standing={standing}>
            {SHORT_WORDS[standing] ?? STANDING_WORDS[standing]}
          </span>
          <ChevronRight size={18} aria-hidden="true" />
        </span>
      </Link>
    </li>
  );
}

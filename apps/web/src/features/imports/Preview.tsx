import { useState } from "react";
import { useLocation } from "wouter";
import { errorWords } from "../../api/errorWords";
import { type Import, startImport } from "../../api/imports";
import { paths } from "../../shared/paths";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { Destination, type Where, withAll } from "./Destination";
import styles from "./Import.module.css";
import { useDiscard, useImportChange } from "./queries";
import { Samples } from "./Samples";
import { Skipped } from "./Skipped";
import { contentsWords } from "./words";

/** What is in the file and will be imported; nothing happens before that is confirmed. */
export function Preview({ one }: { one: Import }) {
  const [where, setWhere] = useState<Where>({ libraryId: null, tags: [], typed: [] });
  const start = useImportChange(() =>
    startImport(one.id, {
      library_id: where.libraryId,
      tags: withAll(where.tags, where.typed),
    }),
  );
  const [, navigate] = useLocation();
  const discard = useDiscard(one.id, () => navigate(paths.import(), { replace: true }));
  const failed = start.error ?? discard.error;
  const { counts } = one;
  const empty = counts.items === 0;
  return (
    <>
      <dl className={styles.numbers}>
        <Figure value={counts.items} words={counts.items === 1 ? "item" : "items"} />
        <Figure
          value={counts.highlights}
          words={counts.highlights === 1 ? "highlight" : "highlights"}
        />
        <Figure value={counts.skipped} words="skipped" />
      </dl>
      {empty && (
        <Notice>
          Nothing in this file can be imported. See below why, or choose another file.
        </Notice>
      )}
      {!empty && <Samples samples={one.samples} all={counts.items} />}
      <Skipped one={one} />
      {!empty && <Destination where={where} onChange={setWhere} />}
      {failed && <Notice kind="error">{errorWords(failed)}</Notice>}
      <div className={styles.actions}>
        <Button pending={discard.isPending} onClick={() => discard.mutate()}>
          Discard
        </Button>
        {!empty && (
          <Button look="primary" pending={start.isPending} onClick={() => start.mutate()}>
            Import {contentsWords(one)}
          </Button>
        )}
      </div>
    </>
  );
}

function Figure({ value, words }: { value: number; words: string }) {
  return (
    <div className={styles.number}>
      <dt>{words}</dt>
      <dd>{value.toLocaleString("en")}</dd>
    </div>
  );
}

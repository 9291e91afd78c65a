import { Download } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { errorWords } from "../../api/errorWords";
import { type Import, reportPath, startImport, stopImport } from "../../api/imports";
import { paths } from "../../shared/paths";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import styles from "./Import.module.css";
import { useImportChange } from "./queries";
import { Skipped } from "./Skipped";
import { UndoDialog } from "./UndoDialog";
import { results, STANDING_WORDS, type Standing, standingOf, taken } from "./words";

/** How far an import is, what became of its lines, and what can be done about it. */
export function Progress({ one }: { one: Import }) {
  const standing = standingOf(one);
  return (
    <>
      <section className={styles.progressBox} aria-labelledby="standing-heading">
        <h2 id="standing-heading">{STANDING_WORDS[standing]}</h2>
        {(standing === "running" || standing === "stopped") && <Bar one={one} />}
        <p className={styles.soft}>{EXPLAINED[standing]}</p>
        <Controls one={one} />
      </section>
      <section className={styles.section} aria-labelledby="results-heading">
        <h2 id="results-heading">{HEADINGS[standing] ?? "So far"}</h2>
        <Results one={one} />
        <p>
          <a className={styles.report} href={reportPath(one.id)} download>
            <Download size={16} aria-hidden="true" />
            Download the report of every line (CSV)
          </a>
        </p>
      </section>
      <Skipped one={one} />
    </>
  );
}

const HEADINGS: Partial<Record<Standing, string>> = {
  fetching: "Result",
  done: "Result",
  undone: "What it had brought",
};

const EXPLAINED: Record<Standing, string> = {
  preview: "",
  running: "You can leave this page; the import goes on. What you save meanwhile comes first.",
  fetching:
    "Everything is in your library. Pages are fetched in the background, a few from each site at a time; what you save meanwhile comes first.",
  stopped: "What was imported until now stays. Resume to go on where it stopped, or undo it.",
  done: "Everything is in your library.",
  undoing: "What this import added is being taken back.",
  undone: "What this import added and nobody changed since was taken back.",
};

function Bar({ one }: { one: Import }) {
  const { done, all } = taken(one);
  return (
    <div className={styles.bar}>
      <progress
        className={styles.progress}
        max={Math.max(1, all)}
        value={done}
        aria-label="Import"
      />
      <span>
        {done.toLocaleString("en")} of {all.toLocaleString("en")}
      </span>
    </div>
  );
}

function Controls({ one }: { one: Import }) {
  const standing = standingOf(one);
  const [asking, setAsking] = useState(false);
  const stop = useImportChange(() => stopImport(one.id));
  const resume = useImportChange(() => startImport(one.id));
  const failed = stop.error ?? resume.error;
  return (
    <>
      {failed && <Notice kind="error">{errorWords(failed)}</Notice>}
      <div className={styles.controls}>
        {standing === "running" && (
          <Button pending={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        )}
        {standing === "stopped" && (
          <Button look="primary" pending={resume.isPending} onClick={() => resume.mutate()}>
            Resume
          </Button>
        )}
        {["stopped", "fetching", "done"].includes(standing) && (
          <Button onClick={() => setAsking(true)}>Undo this import…</Button>
        )}
        {one.library_id && standing !== "undone" && (
          <Link href={paths.library(one.library_id)}>Open the library</Link>
        )}
        {!one.library_id && (standing === "done" || standing === "fetching") && (
          <Link href={paths.all}>Show all items</Link>
        )}
      </div>
      {asking && <UndoDialog one={one} onClose={() => setAsking(false)} />}
    </>
  );
}

function Results({ one }: { one: Import }) {
  const found = results(one);
  if (found.length === 0) return <p className={styles.soft}>Nothing yet.</p>;
  return (
    <ul className={styles.reasons}>
      {found.map(({ count, words }) => (
        <li key={words}>
          <span className={styles.reasonCount}>{count.toLocaleString("en")}</span> {words}
        </li>
      ))}
    </ul>
  );
}

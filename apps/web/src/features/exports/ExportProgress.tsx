import { CircleCheck } from "lucide-react";
import { Button } from "../../ui/Button";
import { fileSize } from "../../ui/fileSize";
import { Notice } from "../../ui/Notice";
import type { Received } from "./download";
import styles from "./Export.module.css";
import { cancelExport, type ExportJob } from "./exportJob";
import { formatName } from "./formats";

function receivedWords({ bytes, items }: Received): string {
  if (!items) return fileSize(bytes);
  return `${items.toLocaleString("en")} ${items === 1 ? "item" : "items"}, ${fileSize(bytes)}`;
}

/** How far an export is, and what became of it. */
export function ExportProgress({ job }: { job: ExportJob }) {
  if (job.state === "idle") return null;
  if (job.state === "failed") return <Notice kind="error">Not exported. {job.reason}</Notice>;
  if (job.state === "done") {
    return (
      <p className={styles.done} role="status">
        <CircleCheck size={18} aria-hidden="true" />
        <span>
          “{job.name}” ({fileSize(job.bytes)}) is in your downloads.
        </span>
      </p>
    );
  }
  const { received, request } = job;
  const total = received?.total ?? null;
  return (
    <div className={styles.running}>
      <div className={styles.bar}>
        <progress
          max={total ?? undefined}
          value={total ? received?.bytes : undefined}
          aria-label={`Export as ${formatName(request.format)}`}
        />
        <span>{received ? receivedWords(received) : "Preparing…"}</span>
      </div>
      <Button onClick={cancelExport}>Cancel</Button>
    </div>
  );
}

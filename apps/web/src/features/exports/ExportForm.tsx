import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from "react";
import type { ExportFormat } from "../../api/exports";
import { LIMITS } from "../../api/schema";
import { useUser } from "../../shared/session";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import styles from "./Export.module.css";
import { ExportProgress } from "./ExportProgress";
import { currentExport, onExportChange, settleExport, startExport } from "./exportJob";
import { FORMATS } from "./formats";
import { MarkdownTemplate } from "./MarkdownTemplate";
import { useTemplate } from "./template";

interface ExportFormProps {
  /** Everything, unless some items are named. */
  mediaIds?: readonly string[];
  /** What else can be done, before the button that exports. */
  children?: ReactNode;
}

/** Chooses a format, has the file written and downloads it. */
export function ExportForm({ mediaIds, children }: ExportFormProps) {
  const [format, setFormat] = useState<ExportFormat>(mediaIds ? "markdown" : "nexus");
  const template = useTemplate(useUser().id);
  const job = useSyncExternalStore(onExportChange, currentExport);
  // What became of an export is told once, to the person who waited for it.
  useEffect(() => settleExport, []);
  const tooMany = (mediaIds?.length ?? 0) > LIMITS.exported_by_id;
  const start = () =>
    void startExport({
      format,
      ...(mediaIds && { media_ids: [...mediaIds] }),
      ...(format === "markdown" && template.own !== null && { template: template.own }),
    });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <Formats chosen={format} onChoose={setFormat} />
      {format === "markdown" && <MarkdownTemplate {...template} />}
      {tooMany && (
        <Notice>
          At most {LIMITS.exported_by_id.toLocaleString("en")} items can be chosen at once.
          Everything can be exported in Settings.
        </Notice>
      )}
      <ExportProgress job={job} />
      <div className={styles.actions}>
        {children}
        <Button type="submit" look="primary" disabled={tooMany} pending={job.state === "running"}>
          Export
        </Button>
      </div>
    </form>
  );
}

interface FormatsProps {
  chosen: ExportFormat;
  onChoose: (format: ExportFormat) => void;
}

function Formats({ chosen, onChoose }: FormatsProps) {
  const id = useId();
  return (
    <fieldset className={styles.formats}>
      <legend className="visually-hidden">Format</legend>
      {FORMATS.map(({ format, name, file, use }) => (
        <label key={format} className={styles.format}>
          <input
            type="radio"
            name={id}
            value={format}
            checked={format === chosen}
            aria-describedby={`${id}-${format}`}
            onChange={() => onChoose(format)}
          />
          <span className={styles.text}>
            <span className={styles.name}>
              {name} <span className={styles.file}>{file}</span>
            </span>
            <span id={`${id}-${format}`} className={styles.use}>
              {use}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

import { FileInput } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { LIMITS } from "../../api/schema";
import { Button } from "../../ui/Button";
import { fileSize } from "../../ui/fileSize";
import { Notice } from "../../ui/Notice";
import styles from "./Import.module.css";
import { cancelImportUpload, type ImportUpload } from "./importUpload";

interface ChooseFileProps {
  upload: ImportUpload;
  onFile: (file: File) => void;
}

/** Takes a file; while it is sent, says how far it is, and when it cannot be used, why. */
export function ChooseFile({ upload, onFile }: ChooseFileProps) {
  if (upload.state === "sending" || upload.state === "reading") return <Sending upload={upload} />;
  return (
    <section className={styles.choose} aria-label="Choose a file">
      {upload.state === "refused" && (
        <Notice kind="error">
          <strong className={styles.fileName}>{upload.name}</strong>
          <br />
          {upload.reason}
        </Notice>
      )}
      <FileInput size={32} aria-hidden="true" className={styles.chooseIcon} />
      <Picker again={upload.state === "refused"} onFile={onFile} />
      <p className={styles.soft}>
        or drop it anywhere on this page. Up to {fileSize(LIMITS.import_bytes)}; a .zip stays
        packed.
      </p>
    </section>
  );
}

/** The browser's own chooser, behind a button. The kind of file does not matter: it is looked at. */
function Picker({ again, onFile }: { again: boolean; onFile: (file: File) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="File to import"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onFile(file);
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
      <Button look="primary" onClick={() => input.current?.click()}>
        {again ? "Choose another file" : "Choose a file"}
      </Button>
    </>
  );
}

type Busy = Extract<ImportUpload, { state: "sending" | "reading" }>;

function Sending({ upload }: { upload: Busy }) {
  const percent =
    upload.state === "sending" ? Math.floor((upload.sentBytes / upload.size) * 100) : null;
  useLeaveWarning();
  return (
    <section className={styles.choose} aria-label="Sending the file">
      <p className={styles.fileName}>{upload.name}</p>
      <progress
        className={styles.progress}
        max={100}
        value={percent ?? undefined}
        aria-label={`Upload of ${upload.name}`}
      />
      <p className={styles.soft}>
        {upload.state === "sending"
          ? `${fileSize(upload.sentBytes)} of ${fileSize(upload.size)}`
          : "Reading the file…"}
      </p>
      <Button onClick={cancelImportUpload}>Cancel</Button>
    </section>
  );
}

/** Leaving the app would end the upload, so the browser asks first. */
function useLeaveWarning(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
}

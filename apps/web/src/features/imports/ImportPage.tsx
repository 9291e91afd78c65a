import { useEffect, useSyncExternalStore } from "react";
import { useLocation, useParams } from "wouter";
import { type DropTaker, useDropTaker } from "../../shared/dropTaker";
import { paths } from "../../shared/paths";
import { useTitle } from "../../ui/useTitle";
import { ChooseFile } from "./ChooseFile";
import styles from "./Import.module.css";
import { ImportDetails } from "./ImportDetails";
import { ImportList } from "./ImportList";
import {
  cancelImportUpload,
  currentImportUpload,
  onImportUploadChange,
  sendImport,
} from "./importUpload";
import { SourceList } from "./SourceList";

const DROP: DropTaker = {
  title: "Drop to import",
  hint: "You will see what is in the file before anything is imported.",
  onFiles: ([file]) => {
    if (file) void sendImport(file);
  },
};

/** The way in: a file is chosen, looked at and imported. */
export function ImportPage() {
  const { id } = useParams<{ id?: string }>();
  useDropTaker(DROP);
  const upload = useSyncExternalStore(onImportUploadChange, currentImportUpload);
  const [, navigate] = useLocation();
  const readyId = upload.state === "done" ? upload.id : null;
  useEffect(() => {
    if (!readyId) return;
    cancelImportUpload();
    navigate(paths.import(readyId));
  }, [readyId, navigate]);
  // A file dropped on an earlier import is sent, and shown, where the first one was.
  const busy = upload.state === "sending" || upload.state === "reading";
  if (id && !busy && upload.state !== "refused") return <ImportDetails key={id} id={id} />;
  return <Start />;
}

function Start() {
  useTitle("Import");
  const upload = useSyncExternalStore(onImportUploadChange, currentImportUpload);
  return (
    <div className={styles.page}>
      <header className={styles.intro}>
        <h1>Import</h1>
        <p>
          Bring what you saved elsewhere: pages, tags, folders, dates, highlights and notes. You see
          what is in a file before anything happens, and every import can be undone.
        </p>
      </header>
      <ChooseFile upload={upload} onFile={(file) => void sendImport(file)} />
      <ImportList />
      <SourceList />
    </div>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { libraryInView } from "../libraries/libraryInView";
import styles from "./FileDrop.module.css";
import { currentUploads, onUploadsChange } from "./uploadStore";

const UploadPanel = lazy(async () => ({ default: (await import("./UploadPanel")).UploadPanel }));

/** Takes files dropped anywhere in the window. */
export function FileDrop() {
  const client = useQueryClient();
  const over = useFileDrop((files) => {
    const libraryId = libraryInView(client)?.id ?? null;
    void import("./uploads").then(({ uploadFiles }) => uploadFiles(client, files, { libraryId }));
  });
  if (!over) return null;
  return (
    <div className={styles.overlay} aria-hidden="true">
      <p className={styles.card}>
        <FileUp size={32} aria-hidden="true" />
        <span className={styles.title}>Drop to upload</span>
        <span>PDF up to 100 MB, EPUB up to 50 MB</span>
      </p>
    </div>
  );
}

/** The uploads of this page, once there are any. */
export function UploadsHere() {
  const { jobs, refused } = useSyncExternalStore(onUploadsChange, currentUploads);
  if (jobs.length + refused.length === 0) return null;
  return (
    <Suspense>
      <UploadPanel />
    </Suspense>
  );
}

function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      // Without this the browser would open the file in place of the app.
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      // Only leaving the window has nowhere to go to; moving between elements has.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    };
    const listeners = { dragenter: onDrag, dragover: onDrag, dragleave: onLeave, drop: onDrop };
    const all = Object.entries(listeners) as [string, EventListener][];
    for (const [type, listener] of all) window.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of all) window.removeEventListener(type, listener);
    };
  }, [onFiles]);
  return over;
}

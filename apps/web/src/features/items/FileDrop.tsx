import { useQueryClient } from "@tanstack/react-query";
import { FileUp, Link2 } from "lucide-react";
import { useSyncExternalStore } from "react";
import { currentDropTaker, onDropTakerChange } from "../../shared/dropTaker";
import { libraryInView } from "../libraries/libraryInView";
import { sizeWords } from "../uploads/fileCheck";
import styles from "./FileDrop.module.css";
import { saveText } from "./saves";
import { useDrop } from "./useDrop";

/** Takes files and links dropped anywhere in the window. */
export function FileDrop() {
  const client = useQueryClient();
  const taker = useSyncExternalStore(onDropTakerChange, currentDropTaker);
  const over = useDrop({
    onFiles: (files) => {
      if (taker) return taker.onFiles(files);
      const libraryId = libraryInView(client)?.id ?? null;
      void import("../uploads/uploads").then(({ uploadFiles }) =>
        uploadFiles(client, files, { libraryId }),
      );
    },
    onText: (text) => void saveText(client, text, libraryInView(client)?.id ?? null),
  });
  if (!over) return null;
  return (
    <div className={styles.overlay} aria-hidden="true">
      <p className={styles.card}>
        {over === "files" ? (
          <>
            <FileUp size={32} aria-hidden="true" />
            <span className={styles.title}>{taker?.title ?? "Drop to upload"}</span>
            <span>{taker?.hint ?? sizeWords()}</span>
          </>
        ) : (
          <>
            <Link2 size={32} aria-hidden="true" />
            <span className={styles.title}>Drop to save</span>
          </>
        )}
      </p>
    </div>
  );
}

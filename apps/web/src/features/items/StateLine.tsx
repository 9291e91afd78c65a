import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useSyncExternalStore } from "react";
import { LIMITS } from "../../api/schema";
import type { Media } from "../../api/types";
import { originalUrl } from "../../shared/originalUrl";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { Spinner } from "../../ui/Spinner";
import { pickFiles } from "../uploads/pickFiles";
import { percentSent } from "../uploads/uploadJobs";
import { currentUploads, onUploadsChange, uploadOf } from "../uploads/uploadStore";
import { itemState, remedyFor, shownTitle, stateWords } from "./itemWords";
import { useDownload, useRetryItem } from "./queries";
import styles from "./StateLine.module.css";
import { saveText } from "./saves";

interface StateLineProps {
  media: Media;
  /** In a list: nothing about what simply opens, and the download of a file beside its state. */
  listed?: boolean;
}

/** How far an item is, in words, and what can be done about it. */
export function StateLine({ media, listed = false }: StateLineProps) {
  const uploads = useSyncExternalStore(onUploadsChange, currentUploads);
  const upload = uploadOf(uploads, media.id);
  const state = itemState(media);
  if (upload) {
    return (
      <p className={styles.state}>
        <Spinner /> Uploading, {percentSent(upload)}%
      </p>
    );
  }
  if (listed && (state === "ready" || state === "elsewhere")) return null;
  return (
    <div className={styles.stateLine}>
      <p className={cx(styles.state, state === "failed" && styles.failed)}>
        {(state === "waiting" || state === "reading") && <Spinner />}
        {stateWords(media)}
      </p>
      <Remedy media={media} />
      {listed && state === "stored" && <DownloadFile media={media} />}
    </div>
  );
}

function DownloadFile({ media }: { media: Media }) {
  const download = useDownload(media);
  return (
    <Button
      className={styles.remedy}
      pending={download.isPending}
      aria-label={`Download ${shownTitle(media)}`}
      onClick={() => download.mutate()}
    >
      <Download size={14} aria-hidden="true" />
      Download
    </Button>
  );
}

function Remedy({ media }: { media: Media }) {
  const client = useQueryClient();
  const retry = useRetryItem(media);
  const title = shownTitle(media);
  switch (remedyFor(media)) {
    case "retry":
      return (
        <Button
          className={styles.remedy}
          pending={retry.isPending}
          aria-label={`Try again: ${title}`}
          onClick={() => retry.mutate()}
        >
          Try again
        </Button>
      );
    case "save-again":
      return (
        <>
          <p className={styles.advice}>
            It failed {LIMITS.attempts} times. Save it again to start over.
          </p>
          <Button
            className={styles.remedy}
            aria-label={`Save again: ${title}`}
            onClick={() => void saveText(client, originalUrl(media) ?? "", null)}
          >
            Save again
          </Button>
        </>
      );
    case "upload":
      return (
        <Button
          className={styles.remedy}
          aria-label={`Choose a file for ${title}`}
          onClick={() => void chooseFile()}
        >
          Choose a file
        </Button>
      );
    case null:
      return null;
  }

  async function chooseFile() {
    const files = await pickFiles({ multiple: false, kind: media.kind });
    const { uploadFiles } = await import("../uploads/uploads");
    uploadFiles(client, files, { media });
  }
}

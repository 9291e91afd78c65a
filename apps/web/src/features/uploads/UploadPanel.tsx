import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, RotateCcw, X } from "lucide-react";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { paths } from "../../shared/paths";
import { Button, IconButton } from "../../ui/Button";
import { Spinner } from "../../ui/Spinner";
import styles from "./UploadPanel.module.css";
import { isUnfinished, percentSent, type UploadJob } from "./uploadJobs";
import {
  currentUploads,
  dropEntry,
  dropSettled,
  onUploadsChange,
  type RefusedFile,
} from "./uploadStore";
import { cancelUpload, isUploading, retryUpload } from "./uploads";

/** Every upload of this page with its progress, above whatever view is open. */
export function UploadPanel() {
  const { jobs, refused } = useSyncExternalStore(onUploadsChange, currentUploads);
  useLeaveWarning();
  const left = jobs.filter(isUnfinished).length;
  return (
    <section className={styles.panel} aria-labelledby="uploads-heading">
      <div className={styles.head}>
        <h2 id="uploads-heading">
          {left === 0 ? "Uploads" : `Uploading ${left} of ${jobs.length}`}
        </h2>
        {left < jobs.length + refused.length && (
          <Button look="ghost" className={styles.clear} onClick={dropSettled}>
            {left === 0 ? "Close" : "Clear finished"}
          </Button>
        )}
      </div>
      <ul className={styles.list}>
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
        {refused.map((file) => (
          <RefusedRow key={file.id} file={file} />
        ))}
      </ul>
    </section>
  );
}

/** Leaving the page would end what is on its way, so the browser asks first. */
function useLeaveWarning(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isUploading()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
}

function JobRow({ job }: { job: UploadJob }) {
  const client = useQueryClient();
  const { name } = job.file;
  return (
    <Row icon={<JobIcon job={job} />} name={name} detail={<JobDetail job={job} />}>
      {job.state === "failed" && (
        <IconButton label={`Try ${name} again`} onClick={() => retryUpload(client, job.id)}>
          <RotateCcw size={16} aria-hidden="true" />
        </IconButton>
      )}
      {isUnfinished(job) ? (
        <IconButton label={`Cancel ${name}`} onClick={() => cancelUpload(client, job.id)}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      ) : (
        <IconButton label={`Dismiss ${name}`} onClick={() => dropEntry(job.id)}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      )}
    </Row>
  );
}

function JobIcon({ job }: { job: UploadJob }) {
  if (job.state === "failed")
    return <CircleAlert className={styles.bad} size={18} aria-hidden="true" />;
  if (job.state === "done")
    return <CircleCheck className={styles.good} size={18} aria-hidden="true" />;
  return <Spinner />;
}

function JobDetail({ job }: { job: UploadJob }) {
  switch (job.state) {
    case "waiting":
      return "Queued";
    case "preparing":
      return "Starting…";
    case "sending":
      return (
        <span className={styles.progress}>
          <progress max={100} value={percentSent(job)} aria-label={`Upload of ${job.file.name}`} />
          <span>{percentSent(job)}%</span>
        </span>
      );
    case "checking":
      return "Checking the file…";
    case "failed":
      return <span className={styles.reason}>{job.reason}</span>;
    case "done":
      return (
        <>
          {job.duplicate ? "Already in your library. " : "Uploaded. "}
          {job.mediaId && <Link href={paths.item(job.mediaId)}>Open</Link>}
        </>
      );
    case "cancelled":
      return null;
  }
}

function RefusedRow({ file }: { file: RefusedFile }) {
  return (
    <Row
      icon={<CircleAlert className={styles.bad} size={18} aria-hidden="true" />}
      name={file.name}
      detail={<span className={styles.reason}>{file.reason}</span>}
    >
      <IconButton label={`Dismiss ${file.name}`} onClick={() => dropEntry(file.id)}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </Row>
  );
}

interface RowProps {
  icon: ReactNode;
  name: string;
  detail: ReactNode;
  children: ReactNode;
}

function Row({ icon, name, detail, children }: RowProps) {
  return (
    <li className={styles.row}>
      {icon}
      <div className={styles.text}>
        <p className={styles.name}>{name}</p>
        <p className={styles.detail}>{detail}</p>
      </div>
      {children}
    </li>
  );
}

import { type ReactNode, useId } from "react";
import { ApiError, isUnreachable } from "../api/errors";
import { errorWords } from "../api/errorWords";
import { OfflineArt } from "./Art";
import { Button } from "./Button";
import styles from "./States.module.css";

interface EmptyStateProps {
  art?: ReactNode;
  title: string;
  /** 1 when the state is the whole page. */
  level?: 1 | 2;
  children?: ReactNode;
}

/** A centred message for a place with nothing to show. */
export function EmptyState({ art, title, level = 2, children }: EmptyStateProps) {
  const Heading = level === 1 ? "h1" : "h2";
  const id = useId();
  return (
    <section className={styles.state} aria-labelledby={id}>
      {art}
      <Heading id={id}>{title}</Heading>
      {children}
    </section>
  );
}

interface ErrorStateProps {
  error: unknown;
  retrying: boolean;
  onRetry: () => void;
  level?: 1 | 2;
}

/** Says what went wrong in place of the content, with a way to try again. */
export function ErrorState({ error, retrying, onRetry, level = 2 }: ErrorStateProps) {
  const unreachable = isUnreachable(error);
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div role="alert">
      <EmptyState
        level={level}
        art={unreachable && <OfflineArt />}
        title={unreachable ? "Nexus cannot be reached" : "This could not be loaded"}
      >
        <p>{unreachable ? offlineWords() : errorWords(error)}</p>
        <Button look="primary" pending={retrying} onClick={onRetry}>
          Try again
        </Button>
        {requestId && <p className={styles.small}>Request {requestId}</p>}
      </EmptyState>
    </div>
  );
}

function offlineWords(): string {
  return navigator.onLine
    ? "The server is not responding. It may be restarting; this page will keep trying."
    : "Your device is offline. This page will continue as soon as you are back.";
}

/** Grey lines in the shape of what is coming. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" className={styles.skeleton}>
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
        <div key={row} className={styles.bone} aria-hidden="true" />
      ))}
    </div>
  );
}

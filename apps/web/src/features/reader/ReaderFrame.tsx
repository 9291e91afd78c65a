import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BackLink } from "../../shared/BackLink";
import { NotFoundPage } from "../../shared/NotFoundPage";
import { ErrorState } from "../../ui/States";
import { isItemGone } from "../items/queries";
import styles from "./ReaderPage.module.css";

/** What stands in place of a text, under a bar that leads back as the text's does. */
export function Framed({ children }: { children: ReactNode }) {
  return (
    <>
      <header className={styles.bar}>
        <BackLink />
      </header>
      {children}
    </>
  );
}

/** Why an item did not load. */
export function Failed({ query }: { query: UseQueryResult }) {
  if (isItemGone(query.error)) {
    return (
      <Framed>
        <NotFoundPage what="item" />
      </Framed>
    );
  }
  return (
    <Framed>
      <ErrorState
        level={1}
        error={query.error}
        retrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    </Framed>
  );
}
